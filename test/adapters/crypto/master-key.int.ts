import { randomBytes } from 'node:crypto';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadMasterKey } from '../../../adapters/crypto/master-key.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

describe('master key', () => {
  let dataDir: string;
  const file = () => join(dataDir, 'master.key');
  const folder = openedForEach(tempFolder);
  beforeEach(() => void (dataDir = folder.path));

  it('is made once, for its owner only, and found again', () => {
    const made = loadMasterKey({ dataDir: join(dataDir, 'new') });
    expect(made).to.deep.include({ source: 'created', warnings: [] });
    expect(made.key).to.have.length(32);
    expect(statSync(join(dataDir, 'new', 'master.key')).mode & 0o777).to.equal(0o600);
    const found = loadMasterKey({ dataDir: join(dataDir, 'new') });
    expect(found.source).to.equal('file');
    expect(Buffer.from(found.key).equals(made.key)).to.equal(true);
  });

  it('can be given in base64, base64url or hexadecimal, and then no file is made', () => {
    const key = randomBytes(32);
    for (const given of [
      key.toString('base64'),
      key.toString('base64url'),
      key.toString('hex'),
      ` ${key.toString('hex')}\n`,
    ]) {
      const loaded = loadMasterKey({ given, dataDir });
      expect(loaded.source).to.equal('environment');
      expect(key.equals(loaded.key)).to.equal(true);
    }
    expect(() => statSync(file())).to.throw(/ENOENT/);
  });

  it('is refused when it is not 32 bytes, wherever it comes from', () => {
    for (const bad of ['short', randomBytes(16).toString('hex'), randomBytes(33).toString('base64')]) {
      expect(() => loadMasterKey({ given: bad, dataDir })).to.throw(/32 bytes/);
      writeFileSync(file(), bad);
      expect(() => loadMasterKey({ dataDir })).to.throw(/does not hold a 32-byte key/);
    }
    writeFileSync(file(), '');
    expect(() => loadMasterKey({ dataDir })).to.throw(/backup/);
  });

  it('warns when others can read the file', () => {
    loadMasterKey({ dataDir });
    chmodSync(file(), 0o644);
    expect(loadMasterKey({ dataDir }).warnings).to.have.length(1);
    expect(loadMasterKey({ dataDir }).warnings[0]).to.match(/mode 644.*600/);
  });
});
