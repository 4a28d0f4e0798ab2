/** Signed addresses that other systems call to continue a flow (docs/flows.md). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App } from '../app.js';

export const CALLBACK_PATH = '/flows/callbacks';

type Signing = Pick<App, 'indexSecret'>;

const signatureOf = ({ indexSecret }: Signing, executionUuid: string, block: string): Buffer =>
  createHmac('sha256', indexSecret).update(`flow-callback ${executionUuid} ${block}`).digest();

export const callbackAddress = (
  app: Signing & Pick<App, 'publicUrl'>,
  executionUuid: string,
  block: string,
): string =>
  `${app.publicUrl()}${CALLBACK_PATH}/${executionUuid}/${block}/${signatureOf(app, executionUuid, block).toString('base64url')}`;

export function isCallbackSignature(
  app: Signing,
  executionUuid: string,
  block: string,
  signature: string,
): boolean {
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(app, executionUuid, block);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
