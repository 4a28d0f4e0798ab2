import { expect } from 'chai';
import { drawRandomBytes } from '../../../ports/random-bytes.js';

describe('random bytes', () => {
  it('are never drawn twice, across many blocks and sizes', () => {
    const seen = new Set<string>();
    for (let n = 0; n < 5_000; n += 1) {
      const bytes = drawRandomBytes(n % 2 === 0 ? 12 : 32);
      expect(bytes.length).to.equal(n % 2 === 0 ? 12 : 32);
      seen.add(Buffer.from(bytes).toString('hex'));
    }
    expect(seen.size).to.equal(5_000);
  });

  it('are each the caller’s own', () => {
    const first = drawRandomBytes(32);
    const before = Buffer.from(first).toString('hex');
    for (let n = 0; n < 1_000; n += 1) drawRandomBytes(32);
    expect(Buffer.from(first).toString('hex')).to.equal(before);
    expect(first.buffer.byteLength).to.equal(32);
  });

  it('are refused in sizes that a block is not for', () => {
    expect(() => drawRandomBytes(65)).to.throw(RangeError);
  });
});
