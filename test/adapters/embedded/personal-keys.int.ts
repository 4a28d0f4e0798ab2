/** Keys and failed transactions: no event may be durable before the key that sealed it. */
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../../adapters/clock/system.js';
import { openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { silent } from '../../../adapters/embedded/logger.js';
import { createPersonalKeys } from '../../../adapters/embedded/personal-keys.js';
import { createWriter, type Writer } from '../../../adapters/embedded/writer.js';
import { testBox } from '../../conformance/embedded.js';
import { failure } from '../../conformance/support.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

describe('embedded store: personal keys', () => {
  let db: Db;
  afterEach(() => db.close());
  const folder = openedForEach(tempFolder);
  beforeEach(() => void (db = openDatabase(join(folder.path, 'recado.db'))));

  it('are saved by the next transaction that succeeds when their own failed', async () => {
    const keys = createPersonalKeys(db, {
      writer: () => writer,
      secretBox: testBox,
      clock: systemClock,
      logger: silent,
    });
    const writer: Writer = createWriter(db, [keys]);
    const saved = () => db.prepare('SELECT count(*) FROM personal_keys').pluck().get();
    const key = await keys.keyFor('subject', 'c');
    db.pragma('query_only = ON');
    await failure(writer.flush());
    expect(saved()).to.equal(0);
    expect(keys.keyAtHand('subject')?.keyId).to.equal(key.keyId);
    expect((await keys.open([key.keyId])).size).to.equal(1);
    db.pragma('query_only = OFF');
    await writer.flush();
    expect(saved()).to.equal(1);
    await writer.flush();
    expect(saved()).to.equal(1);
  });
});
