import { expect } from 'chai';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { openToOthers } from '../../../adapters/embedded/private-files.js';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

describe('embedded store: files are for their owner alone', () => {
  const folder = openedForEach(tempFolder);
  const secretBox = createSecretBox(Buffer.alloc(32, 1));
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  let before: number;

  beforeEach(() => (before = process.umask(0)));
  afterEach(() => process.umask(before));

  /** Files and folders, at any depth, that other users may access. */
  const open = (path: string): readonly string[] => [
    ...openToOthers(path),
    ...readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? open(join(path, entry.name)) : [],
    ),
  ];

  it('whatever the mask is', async () => {
    const dataDir = join(folder.path, 'data');
    const embedded = await openEmbedded({ dataDir, secretBox });
    await createFolderBlobs(join(dataDir, 'blobs')).put(Buffer.from('picture'));
    const found = open(dataDir);
    await embedded.close();
    expect(found).to.deep.equal([]);
    expect(modeOf(dataDir)).to.equal('700');
    expect(modeOf(join(dataDir, 'recado.db'))).to.equal('600');
  });

  it('also in a folder that was there, with files that others could read', async () => {
    const dataDir = join(folder.path, 'data');
    mkdirSync(join(dataDir, 'blobs'), { recursive: true });
    await (await openEmbedded({ dataDir, secretBox })).close();
    for (const name of ['recado.db', 'master.key']) writeFileSync(join(dataDir, name), '', { flag: 'a' });
    for (const name of ['recado.db', 'master.key']) chmodSync(join(dataDir, name), 0o644);
    for (const name of ['blobs', '.']) chmodSync(join(dataDir, name), 0o755);
    expect(openToOthers(dataDir)).to.have.members(['.', 'blobs', 'recado.db', 'master.key']);
    await (await openEmbedded({ dataDir, secretBox })).close();
    expect(openToOthers(dataDir)).to.deep.equal([]);
  });
});
