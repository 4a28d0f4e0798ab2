/**
 * Opaque page cursors: the sort key of the last document, authenticated and bound to the company, the list and its
 * filters. A cursor of another list is refused, because its page would be meaningless.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { IndexValue } from '../../ports/read-models.js';

/** A list's name, its company, and every active filter. */
export interface CursorScope {
  readonly list: string;
  readonly companyUuid: CompanyUuid;
  readonly filters: readonly (string | null)[];
}

const MAC_BYTES = 16;

export function encodeCursor(secret: Uint8Array, scope: CursorScope, key: readonly IndexValue[]): string {
  const payload = Buffer.from(JSON.stringify(key));
  return Buffer.concat([mac(secret, scope, payload), payload]).toString('base64url');
}

/** @throws Refusal invalid_cursor */
export function decodeCursor(secret: Uint8Array, scope: CursorScope, cursor: string): readonly IndexValue[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  // Also compared as text: base64url has more than one encoding of the same bytes.
  const intact =
    bytes.length > MAC_BYTES &&
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(secret, scope, payload)) &&
    bytes.toString('base64url') === cursor;
  if (!intact) {
    throw new Refusal(
      'invalid_cursor',
      'This "after" is no cursor of this list with these filters. Start again without it.',
      { fields: [{ path: 'query.after', code: 'invalid_cursor', message: 'is no cursor of this list.' }] },
    );
  }
  return JSON.parse(payload.toString('utf8')) as IndexValue[];
}

function mac(secret: Uint8Array, { list, companyUuid, filters }: CursorScope, payload: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['cursor', list, companyUuid, filters]))
    .update('\n')
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES);
}
