/** Names for the types of the contract, and what a call takes and returns, derived from its path. */
import type { components, KnownErrorCode, paths } from './contract.js';

export type Schemas = components['schemas'];

/** What is given to a call is never changed, so it may be read-only. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Given<T[Key]> }
    : T;

export type Channel = Schemas['Channel'];
export type Contact = Schemas['Contact'];
export type ContactWrite = Given<Schemas['ContactWrite']>;
export type ContactUpsert = Given<Schemas['ContactUpsert']>;
export type Flow = Schemas['Flow'];
export type FlowExecutionRequest = Given<Schemas['FlowExecutionRequest']>;
export type Template = Schemas['Template'];
export type MessageRequest = Given<Schemas['MessageRequest']>;
export type Message = Schemas['Message'];
export type Conversation = Schemas['Conversation'];
export type ConversationDetail = Schemas['ConversationDetail'];
export type Operation = Schemas['Operation'];
/** An operation that has succeeded: `type` tells the shape of `result`. */
export type Succeeded = Extract<Operation, { status: 'succeeded' }>;
/** An operation that has failed: `error` says why. */
export type Failed = Extract<Operation, { status: 'failed' }>;
export type StoreSummary = Schemas['StoreSummary'];
export type StoreCategory = Schemas['StoreCategory'];
export type StoreProduct = Schemas['StoreProduct'];
export type StoreProductWrite = Given<Schemas['StoreProductWrite']>;
export type StoreProductPatch = Given<Schemas['StoreProductPatch']>;
export type StoreProductBatchItem = Schemas['StoreProductBatchItem'];
export type StoreProductBatchResult = Schemas['StoreProductBatchResult'];
export type StoreOrder = Schemas['StoreOrder'];
export type FieldError = Schemas['FieldError'];

/** One of the ten, told apart by `type`. */
export type WebhookEvent = Schemas['WebhookEvent'];

/** A code of this release, or one of a later release. */
export type ErrorCode = KnownErrorCode | (string & {});

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Verb<M extends Method> = Lowercase<M>;

/** An answer that never ends is not one for `request`. */
type Endless = { responses: { 200: { content: { 'text/event-stream': unknown } } } };

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<Verb<M>, Endless>>
    ? never
    : paths[P] extends Readonly<Record<Verb<M>, { responses: unknown }>>
      ? P
      : never;
}[keyof paths];

export type CallOf<M extends Method, P extends PathOf<M>> =
  paths[P] extends Readonly<Record<Verb<M>, infer Call>> ? Call : never;

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;

type PathPart<Call> = Call extends { parameters: { path: infer Values extends object } }
  ? { readonly path: Values }
  : { readonly path?: undefined };
/** The filters of a list, and its `after` and `limit`. */
export type QueryOf<Call> = Call extends { parameters: { query?: infer Values } }
  ? NonNullable<Values>
  : never;
type QueryPart<Call> = { readonly query?: QueryOf<Call> | undefined };
type BodyPart<Call> = Call extends { requestBody: infer Content extends object }
  ? { readonly body: Given<JsonOf<Content>> }
  : Call extends { requestBody?: infer Content }
    ? { readonly body?: Given<JsonOf<NonNullable<Content>>> | undefined }
    : { readonly body?: undefined };

/** The values of a call: `path`, `query` and `body`, as far as the contract has them. */
export type InputOf<Call> = PathPart<Call> & QueryPart<Call> & BodyPart<Call>;

/** The JSON of a good answer. A call without one, such as a DELETE, has an empty object. */
export type OutputOf<Call> = Call extends { responses: infer Responses }
  ? [JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>] extends [never]
    ? object
    : JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>
  : never;

/** The body of an answer, with what its headers say. */
export type Answer<Body> = Body & {
  /** Quote it when you ask for help. */
  readonly requestId: string | null;
  /** The answer is that of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
};

/** How one call is made; each value replaces that of the client. */
export interface CallOptions {
  /** Ends the call and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one. */
  readonly maxRetries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** For calls that take an Idempotency-Key. Without one, the client makes one and keeps it over all its retries. */
export interface KeyedOptions extends CallOptions {
  /** Your own key: give the same one again after a crash, and nothing is done twice. */
  readonly idempotencyKey?: string | undefined;
}

/** What an import of products did. */
export interface ImportSummary {
  readonly done: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The products that were refused, each by itself. `position` counts from 0 in what was given. */
  readonly failed: readonly { readonly position: number; readonly item: StoreProductBatchItem }[];
}
