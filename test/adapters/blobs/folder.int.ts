import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { failure } from '../../conformance/support.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

describe('blobs in a folder', () => {
  const folder = openedForEach(tempFolder);

  it('lie two levels deep under their hash, with nothing beside them', async () => {
    const { hash } = await createFolderBlobs(folder.path).put(Buffer.from('hello'));
    const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ parentPath, name }) => join(parentPath, name))).to.deep.equal([
      join(folder.path, hash.slice(0, 2), hash.slice(2, 4), hash),
    ]);
  });

  it('are refused when their bytes have changed on disk', async () => {
    const blobs = createFolderBlobs(folder.path);
    const { hash } = await blobs.put(Buffer.from('hello'));
    writeFileSync(join(folder.path, hash.slice(0, 2), hash.slice(2, 4), hash), 'hullo');
    expect((await failure(blobs.get(hash))).name).to.equal('BlobDamaged');
  });
});
