import { expect } from 'chai';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, type CursorScope } from '../../application/queries/cursor.js';
import { Refusal } from '../../domain/kernel/refusal.js';

const SECRET = Buffer.alloc(32, 7);
const SCOPE: CursorScope = { list: 'templates', companyUuid: 'c1', filters: ['APPROVED', null] };
const key = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 4 });

function refusedBy(secret: Uint8Array, scope: CursorScope, cursor: string): string | undefined {
  try {
    decodeCursor(secret, scope, cursor);
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

describe('page cursors', () => {
  it('come back as they went, and are safe in a query', () => {
    fc.assert(
      fc.property(key, (values) => {
        const cursor = encodeCursor(SECRET, SCOPE, values);
        expect(cursor).to.match(/^[\w-]+$/);
        expect(decodeCursor(SECRET, SCOPE, cursor)).to.deep.equal(values);
      }),
    );
  });

  it('are bound to the secret, the list, the company and each filter', () => {
    const cursor = encodeCursor(SECRET, SCOPE, ['a', 'b']);
    expect(refusedBy(Buffer.alloc(32, 8), SCOPE, cursor)).to.equal('invalid_cursor');
    const others: Partial<CursorScope>[] = [
      { list: 'conversations' },
      { companyUuid: 'c2' },
      { filters: ['PENDING', null] },
      { filters: [null, 'APPROVED'] },
      { filters: ['APPROVED'] },
      { filters: ['APPROVED', 'null'] },
    ];
    for (const other of others) {
      expect(refusedBy(SECRET, { ...SCOPE, ...other }, cursor), JSON.stringify(other)).to.equal(
        'invalid_cursor',
      );
    }
  });

  it('refuse any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(refusedBy(SECRET, SCOPE, text)).to.equal('invalid_cursor');
      }),
    );
  });
});
