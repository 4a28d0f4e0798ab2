/** Requirements on every Blobs. Adapters plug in with `describeBlobs`. */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Blobs } from '../../ports/blobs.js';
import { opened } from '../support/opened.js';

export interface BlobsHarness {
  readonly store: Blobs;
  close(): Promise<void>;
}

export function describeBlobs(name: string, make: () => Promise<BlobsHarness>): void {
  describe(`Blobs: ${name}`, () => {
    const harness = opened(make);
    let blobs: Blobs;

    before(() => void (blobs = harness.store));

    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

    it('answers hash and size, and gives the bytes back', async () => {
      const bytes = randomBytes(100_000);
      const info = await blobs.put(bytes);
      expect(info).to.deep.equal({ hash: sha256(bytes), size: 100_000 });
      expect(await blobs.has(info.hash)).to.equal(true);
      expect(Buffer.compare(Buffer.from((await blobs.get(info.hash))!), bytes)).to.equal(0);
    });

    it('takes the same bytes again, also many times at once, and an empty blob', async () => {
      const bytes = randomBytes(1_000);
      const infos = await Promise.all(Array.from({ length: 8 }, () => blobs.put(bytes)));
      expect(new Set(infos.map(({ hash }) => hash)).size).to.equal(1);
      expect((await blobs.get(infos[0]!.hash))!.length).to.equal(1_000);
      const empty = await blobs.put(new Uint8Array());
      expect((await blobs.get(empty.hash))!.length).to.equal(0);
    });

    it('gives any part of it, in pieces that do not grow with the blob', async () => {
      const bytes = randomBytes(9 * 1024 * 1024 + 5);
      const { hash } = await blobs.put(bytes);
      const part = async (start: number, end: number) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of (await blobs.read(hash, { start, end }))!) pieces.push(piece);
        return pieces;
      };
      const size = bytes.length;
      for (const [start, end] of [
        [0, size],
        [0, 1],
        [size - 1, size],
        [65_535, 65_537],
        [4 * 1024 * 1024 - 1, 8 * 1024 * 1024 + 1],
        [7, 7],
      ] as const) {
        const pieces = await part(start, end);
        expect(Buffer.concat(pieces).equals(bytes.subarray(start, end)), `${start} to ${end}`).to.equal(true);
        for (const piece of pieces) expect(piece.length).to.be.at.most(4 * 1024 * 1024);
      }
      // A reader that stops part-way.
      for await (const piece of (await blobs.read(hash, { start: 0, end: size }))!) {
        expect(piece.length).to.be.greaterThan(0);
        break;
      }
    });

    it('answers undefined for what is not there, and for what is no hash at all', async () => {
      for (const hash of [sha256(randomBytes(8)), '', '../../etc/passwd', 'A'.repeat(64), '0'.repeat(63)]) {
        expect(await blobs.get(hash)).to.equal(undefined);
        expect(await blobs.read(hash, { start: 0, end: 0 })).to.equal(undefined);
        expect(await blobs.read(hash, { start: 0, end: 8 })).to.equal(undefined);
        expect(await blobs.has(hash)).to.equal(false);
        await blobs.delete(hash);
      }
    });

    it('deletes', async () => {
      const { hash } = await blobs.put(randomBytes(10));
      await blobs.delete(hash);
      expect(await blobs.has(hash)).to.equal(false);
      expect(await blobs.get(hash)).to.equal(undefined);
    });
  });
}
