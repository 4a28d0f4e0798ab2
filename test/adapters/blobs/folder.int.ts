import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { failure } from '../../conformance/support.js';

describe('blobs in a folder', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'recado-test-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('lie two levels deep under their hash, with nothing beside them', async () => {
    const { hash } = await createFolderBlobs(dir).put(Buffer.from('hello'));
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ parentPath, name }) => join(parentPath, name))).to.deep.equal([
      join(dir, hash.slice(0, 2), hash.slice(2, 4), hash),
    ]);
  });

  it('are refused when their bytes have changed on disk', async () => {
    const blobs = createFolderBlobs(dir);
    const { hash } = await blobs.put(Buffer.from('hello'));
    writeFileSync(join(dir, hash.slice(0, 2), hash.slice(2, 4), hash), 'hullo');
    expect((await failure(blobs.get(hash))).name).to.equal('BlobDamaged');
  });
});
