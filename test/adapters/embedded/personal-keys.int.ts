/** Keys and failed transactions: no event may be durable before the key that sealed it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../../adapters/clock/system.js';
import { openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { Database } from '../../../adapters/embedded/driver.js';
import { silentLogger } from '../../../ports/logger.js';
import { createPersonalKeys, OF_SUBJECT } from '../../../adapters/embedded/personal-keys.js';
import { createPlainTransactions } from '../../../adapters/embedded/transactions.js';
import { createWriter, type GroupWriter } from '../../../adapters/embedded/writer.js';
import { testBox } from '../../conformance/embedded.js';
import { failure } from '../../conformance/support.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

describe('embedded store: personal keys', () => {
  let db: Db;
  afterEach(() => db.close());
  const folder = openedForEach(tempFolder);
  beforeEach(() => void (db = openDatabase(join(folder.path, 'recado.db'))));

  function created() {
    const keys = createPersonalKeys(db, {
      writer: () => writer,
      secretBox: testBox,
      clock: systemClock,
      logger: silentLogger,
      cutLogs: () => void db.pragma('wal_checkpoint(TRUNCATE)'),
    });
    const writer: GroupWriter = createWriter(createPlainTransactions(db), [keys]);
    const saved = () => db.prepare('SELECT count(*) FROM personal_keys').pluck().get();
    return { keys, writer, saved };
  }

  it('are saved by the transaction of what follows, and have none to themselves', async () => {
    const { keys, writer, saved } = created();
    await keys.keyFor('subject', 'c');
    await keys.keyFor('another', 'c');
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([saved(), writer.commits()]).to.deep.equal([0, 0]);
    expect(await writer.submit(saved)).to.equal(2);
    expect(writer.commits()).to.equal(1);
  });

  it('are destroyed for good where nothing has saved them before', async () => {
    const { keys, writer, saved } = created();
    const { keyId } = await keys.keyFor('subject', 'c');
    expect(await keys.destroy('subject')).to.equal(1);
    expect((await keys.open([keyId])).size).to.equal(0);
    expect((await keys.keyFor('subject', 'c')).keyId).not.to.equal(keyId);
    await writer.flush();
    expect(saved()).to.equal(2);
  });

  it('are found by their subject alone, without an index of subjects', async () => {
    const { keys, writer } = created();
    const subjects = ['a', 'a.1', 'a/', 'a-b', 'ab'];
    const made = await Promise.all(subjects.map((subject) => keys.keyFor(subject, 'c')));
    await writer.flush();
    expect(await keys.destroy('a')).to.equal(1);
    expect([...(await keys.open(made.map(({ keyId }) => keyId))).keys()].sort()).to.deep.equal(
      made
        .slice(1)
        .map(({ keyId }) => keyId)
        .sort(),
    );
    const again = created().keys;
    expect((await again.keyFor('a.1', 'c')).keyId).to.equal(made[1]?.keyId);
    expect((await again.keyFor('a', 'c')).keyId).to.equal('a.2');
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN SELECT sealed_key FROM personal_keys WHERE ${OF_SUBJECT}`)
      .all('a.', 'a/', 'a') as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).to.deep.equal([
      'SEARCH personal_keys USING INDEX sqlite_autoindex_personal_keys_1 (key_id>? AND key_id<?)',
    ]);
  });

  it('are saved by the next transaction that succeeds when one failed', async () => {
    const { keys, writer, saved } = created();
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

  describe('of a folder of schema 11, in the order of their ids', () => {
    const path = () => join(folder.path, 'recado.db');
    const reopen = () => {
      db.close();
      db = openDatabase(path());
    };
    const people = Array.from({ length: 500 }, (_, at) => `subject-${(at * 7_919) % 500}`);

    function asBefore(): void {
      db.exec(`
        ALTER TABLE personal_keys RENAME TO newer;
        CREATE TABLE IF NOT EXISTS personal_keys (
          key_id       TEXT PRIMARY KEY,
          subject      TEXT NOT NULL,
          company      TEXT NOT NULL,
          created_at   TEXT NOT NULL,
          destroyed_at TEXT,
          sealed_key   TEXT NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO personal_keys SELECT * FROM newer;
        DROP TABLE newer;
        PRAGMA user_version = 11;`);
    }

    const rows = () => db.prepare('SELECT * FROM personal_keys ORDER BY key_id').all();
    const occurrences = (text: string): number =>
      readFileSync(path()).toString('latin1').split(text).length - 1;

    it('are all kept, destroyed ones too, and leave no copy behind', async () => {
      const first = created();
      const made = await Promise.all(people.map((subject) => first.keys.keyFor(subject, 'c')));
      await first.writer.flush();
      await first.keys.destroy(people[0]!);
      asBefore();
      const before = rows();
      reopen();
      expect(rows()).to.deep.equal(before);
      const { keys, writer } = created();
      expect((await keys.open(made.map(({ keyId }) => keyId))).size).to.equal(made.length - 1);
      expect((await keys.keyFor(people[0]!, 'c')).keyId).to.equal(`${people[0]!}.2`);
      await keys.keyFor('aaa', 'c');
      await writer.flush();
      const newest = db.prepare('SELECT key_id FROM personal_keys ORDER BY rowid DESC LIMIT 1').pluck().get();
      expect(newest, 'a new key is behind all others').to.equal('aaa.1');
      const sealed = db
        .prepare<unknown[], string>('SELECT sealed_key FROM personal_keys WHERE key_id = ?')
        .pluck()
        .get(`${people[1]!}.1`);
      reopen();
      expect(db.pragma('integrity_check', { simple: true })).to.equal('ok');
      expect(occurrences(sealed!)).to.equal(1);
    });

    it('stay as they are when the change fails', async () => {
      const { keys, writer } = created();
      await keys.keyFor('subject', 'c');
      await writer.flush();
      asBefore();
      const before = rows();
      db.exec('CREATE TABLE keys_by_id (other)');
      expect(reopen).to.throw('keys_by_id');
      const plain = new Database(path());
      plain.exec('DROP TABLE keys_by_id');
      plain.close();
      db = openDatabase(path());
      expect(rows()).to.deep.equal(before);
    });
  });
});
