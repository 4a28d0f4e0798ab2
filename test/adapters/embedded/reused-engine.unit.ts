/** A reused zlib engine compresses and decompresses correctly, whatever input it had before. */
import { createDeflateRaw, createInflateRaw, deflateRawSync, inflateRawSync, type Zlib } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { reusing, type Run } from '../../../adapters/embedded/reused-engine.js';
import { runs } from '../../support/soak.js';

const SAMPLE = Buffer.from('{}');
/** More than the room for a result grows to. */
const LARGE = 3 * 1024 * 1024;

/** With the number of calls that the documented function had to answer. */
function counted(once: Run): { readonly once: Run; readonly calls: () => number } {
  let calls = 0;
  return {
    once: (input) => {
      calls += 1;
      return once(input);
    },
    calls: () => calls - 1,
  };
}

const compressing = counted((input) => deflateRawSync(input));
const expanding = counted((input) => inflateRawSync(input));
const compress = reusing(() => createDeflateRaw(), compressing.once, SAMPLE);
const expand = reusing(() => createInflateRaw(), expanding.once, deflateRawSync(SAMPLE));

describe('a reused engine', () => {
  it('gives what a new one reads, and reads what a new one gives', () => {
    const sizes = fc.oneof(fc.integer({ max: 3_000, min: 0 }), fc.integer({ max: 400_000, min: 0 }));
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 256 }), fc.integer(), (size, kinds, seed) => {
        const input = bytesOf(size, kinds, seed);
        const small = deflateRawSync(input);
        const own = compress(input);
        expect(inflateRawSync(own).equals(input)).to.equal(true);
        expect(own.length).to.be.at.most(1.02 * small.length + 16);
        expect(expand(small).equals(input)).to.equal(true);
      }),
      { numRuns: runs(150) },
    );
    expect([compressing.calls(), expanding.calls()], 'left to the documented function').to.deep.equal([0, 0]);
  });

  it('leaves what is too large for its memory to the documented function', () => {
    const input = bytesOf(LARGE, 256, 7);
    expect(expand(compress(input)).equals(input)).to.equal(true);
    expect([compressing.calls(), expanding.calls()]).to.deep.equal([1, 1]);
  });

  it('throws for what is damaged or cut off as the documented function does, and works after it', () => {
    const input = bytesOf(2_000, 256, 3);
    const small = Buffer.from(deflateRawSync(input));
    for (const bytes of [small.subarray(0, -20), Buffer.from([255, 255, 255]), Buffer.of()]) {
      expect(() => expand(bytes)).to.throw();
      expect(expand(small).equals(input)).to.equal(true);
    }
  });

  const like = (stream: object): Zlib => stream as Zlib;
  const lookalike = { _handle: { reset() {}, writeSync() {} }, _writeState: new Uint32Array([65_000, 0]) };
  const throwing = {
    _handle: {
      reset() {
        throw new Error('not the one of Node');
      },
    },
    _writeState: new Uint32Array(2),
  };
  for (const [what, stream] of Object.entries({
    'no inner engine': {},
    'another one': lookalike,
    'one that throws': throwing,
  }))
    it(`leaves all to the documented function where Node has ${what}`, () => {
      const once = (input: Uint8Array): Buffer => deflateRawSync(input);
      expect(reusing(() => like(stream), once, SAMPLE)).to.equal(once);
    });
});

/** Bytes of so many kinds, the same for the same seed. */
function bytesOf(size: number, kinds: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed >>> 0 || 1;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = (state >>> 16) % kinds;
  }
  return bytes;
}
