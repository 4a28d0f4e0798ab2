/** The client of Recado's API. How it is used: README.md beside the package. */
export { Recado } from './client.js';
export * from './errors.js';
export type { FeedEvent } from './events.js';
export { Pages, type PageBody } from './pages.js';
export type { RequestOptions } from './requests.js';
export type { WaitOptions } from './operations.js';
export type { ImportedBatch, ImportedProduct, ImportOptions, Versioned } from './products.js';
export type { Retry, Timers, TransportOptions } from './transport.js';
export type * from './types.js';
export { TOLERANCE_SECONDS, verifySignature, type Signed, type Verdict } from './verify-signature.js';
export { Webhooks, type ReceivedHeaders, type UnwrapOptions } from './webhooks.js';
export type { components, KnownErrorCode, operations, paths } from './contract.js';
