/** The index of streams is written some time after its events. Nobody may notice, nor lose an event of a stream. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { Database } from '../../../adapters/embedded/driver.js';
import { createHistory, type History } from '../../../adapters/embedded/history.js';
import { FileDamaged, historyProblem, inspectFile } from '../../../adapters/embedded/inspect.js';
import { openEmbedded, type Embedded } from '../../../adapters/embedded/open.js';
import { encodeRecord } from '../../../adapters/embedded/records.js';
import { SCHEMA_VERSION } from '../../../adapters/embedded/schema.js';
import { WrongExpectedRevision } from '../../../ports/event-store.js';
import { temporaryStore, testBox, type TemporaryStore } from '../../conformance/embedded.js';
import { record } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

const events = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => record({ n: from + index }, 'Noted'));

describe('embedded store: the index of streams', () => {
  let temporary: TemporaryStore;
  const folders: string[] = [];
  const store = () => temporary.store;

  beforeEach(async () => {
    // Its timers never fire.
    temporary = await temporaryStore({ clock: manualClock() });
  });
  afterEach(async () => {
    await temporary.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  const numbersOf = async ({ eventStore }: Embedded, stream: string, from = 0, limit = 10_000) =>
    (await eventStore.read(stream, { from, limit })).map(({ data }) => data['n']);

  const withFile = <T>(path: string, work: (db: Db) => T): T => {
    const db = new Database(path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const path = () => join(temporary.dataDir, 'recado.db');
  const settledFile = <T>(work: (db: Db) => T): T => {
    store().settle();
    return withFile(path(), work);
  };
  const entries = () => settledFile((db) => db.prepare('SELECT count(*) FROM event_streams').pluck().get());

  /** As many as are written together. */
  const appendMany = () =>
    Promise.all(
      Array.from({ length: 100 }, (_, at) => store().eventStore.append(`a-${at}`, 'no_stream', events(100))),
    );

  async function refused(append: Promise<unknown>): Promise<void> {
    expect(await append.catch((error: unknown) => error)).to.be.instanceOf(WrongExpectedRevision);
  }

  it('lacks the events of the last minutes, which a start after a crash finds all the same', async () => {
    const { eventStore } = store();
    await eventStore.append('a-1', 'no_stream', events(2));
    await eventStore.append('a-2', 'no_stream', events(1));
    await eventStore.append('a-1', 1, events(1, 2));
    expect(entries()).to.equal(0);
    const dataDir = mkdtempSync(join(tmpdir(), 'recado-crash-'));
    folders.push(dataDir);
    for (const file of ['recado.db', 'recado.db-wal', 'recado.db-redo']) {
      copyFileSync(join(temporary.dataDir, file), join(dataDir, file));
    }
    const crashed = await openEmbedded({ dataDir, secretBox: testBox });
    try {
      expect(await numbersOf(crashed, 'a-1')).to.deep.equal([0, 1, 2]);
      expect(await numbersOf(crashed, 'a-2')).to.deep.equal([0]);
      await refused(crashed.eventStore.append('a-1', 1, events(1)));
      await refused(crashed.eventStore.append('a-2', 'no_stream', events(1)));
      await crashed.eventStore.append('a-1', 2, events(1, 3));
      expect(await numbersOf(crashed, 'a-1', 1, 2)).to.deep.equal([1, 2]);
    } finally {
      await crashed.close();
    }
  });

  it('is written when it lacks many, in one go for all of them, and streams go on across its end', async () => {
    await appendMany();
    await store().clearRemnants();
    expect(entries()).to.equal(10_000);
    await temporary.restart();
    await store().eventStore.append('a-7', 99, events(3, 100));
    await store().eventStore.append('a-8', 99, events(3, 100));
    expect(await numbersOf(store(), 'a-7', 98, 3)).to.deep.equal([98, 99, 100]);
    expect(await numbersOf(store(), 'a-7', 101)).to.deep.equal([101, 102]);
    expect(await numbersOf(store(), 'a-8')).to.have.length(103);
    await refused(store().eventStore.append('a-9', 98, events(1)));
    expect(entries()).to.equal(10_000);
    expect(settledFile((db) => historyProblem(db, 'it'))).to.equal(null);
  });

  it('is complete in the next try when a transaction failed on the way', async () => {
    await appendMany();
    const trigger =
      "BEFORE INSERT ON event_streams WHEN new.stream = 'a-5' BEGIN SELECT raise(ABORT, 'no'); END";
    settledFile((db) => db.exec(`CREATE TRIGGER full ${trigger}`));
    const failed = await store()
      .clearRemnants()
      .catch((error: Error) => error.message);
    expect(failed).to.match(/no/);
    expect(entries()).to.be.within(1, 9_999);
    expect(await numbersOf(store(), 'a-5', 98)).to.deep.equal([98, 99]);
    settledFile((db) => db.exec('DROP TRIGGER full'));
    await temporary.restart();
    expect(await numbersOf(store(), 'a-0')).to.have.length(100);
    await store().clearRemnants();
    expect(entries()).to.equal(10_000);
    expect(settledFile((db) => historyProblem(db, 'it'))).to.equal(null);
  });

  it('that says something else than the events is found by the check of a backup', async () => {
    await appendMany();
    await store().clearRemnants();
    const target = join(temporary.dataDir, 'b.db');
    await store().backup({ target });
    const change = (sql: string) => withFile(target, (db) => db.exec(sql));
    change("UPDATE event_streams SET position = 5 WHERE stream = 'a-3' AND revision = 7");
    expect(() => inspectFile(target)).to.throw(FileDamaged, 'wrong at a-3, revision 7');
    change("DELETE FROM event_streams WHERE stream = 'a-3' AND revision = 7");
    expect(() => inspectFile(target)).to.throw(FileDamaged, 'lacks events before position 10000');
  });

  describe('of a folder of schema 6, where it is a constraint', () => {
    /** The tables of events as that release made them. */
    const BEFORE = `
      ALTER TABLE events RENAME TO newer;
      CREATE TABLE IF NOT EXISTS events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        stream   TEXT NOT NULL,
        revision INTEGER NOT NULL,
        event_id TEXT NOT NULL,
        type     TEXT NOT NULL,
        company  TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        meta     TEXT NOT NULL,
        data     TEXT NOT NULL,
        UNIQUE (stream, revision)
      );
      INSERT INTO events SELECT * FROM newer ORDER BY position;
      DROP TABLE newer;
      DROP TABLE event_streams;
      DELETE FROM checkpoints WHERE projection = 'event_streams';
      CREATE INDEX personal_keys_subject ON personal_keys (subject);
      PRAGMA user_version = 6;`;

    beforeEach(async () => {
      const { eventStore } = store();
      const all = Array.from({ length: 300 }, (_, at) => `a-${at}`);
      await Promise.all(all.map((stream) => eventStore.append(stream, 'no_stream', events(2))));
      await Promise.all(all.slice(0, 100).map((stream) => eventStore.append(stream, 1, events(1, 2))));
      await store().close();
      settledFile((db) => db.exec(BEFORE));
    });

    const checked = () =>
      withFile(path(), (db) => ({
        sqlite: db.pragma('integrity_check', { simple: true }),
        history: historyProblem(db, 'it'),
        indexes: db
          .prepare(
            `SELECT count(*) FROM sqlite_schema
             WHERE name GLOB 'sqlite_autoindex_events*' OR name = 'personal_keys_subject'`,
          )
          .pluck()
          .get(),
      }));

    it('becomes a table, and every stream is as it was', async () => {
      temporary.store = await openEmbedded({ dataDir: temporary.dataDir, secretBox: testBox });
      expect(store().schema).to.deep.equal({ from: 6, to: SCHEMA_VERSION });
      expect(checked()).to.deep.equal({ sqlite: 'ok', history: null, indexes: 0 });
      expect(entries()).to.equal(700);
      expect(await numbersOf(store(), 'a-99')).to.deep.equal([0, 1, 2]);
      expect(await numbersOf(store(), 'a-100')).to.deep.equal([0, 1]);
      await refused(store().eventStore.append('a-100', 'no_stream', events(1)));
      await store().eventStore.append('a-100', 1, events(1, 2));
      await temporary.restart();
      expect(await numbersOf(store(), 'a-100')).to.deep.equal([0, 1, 2]);
      expect(await store().eventStore.head()).to.equal('701'.padStart(20, '0'));
      expect(entries()).to.equal(700);
    });

    it('stays a constraint when the upgrade fails, and the earlier release still opens the folder', async () => {
      settledFile((db) => db.exec('CREATE TABLE event_streams (other)'));
      expect(() => openDatabase(path())).to.throw();
      withFile(path(), (db) => {
        expect(db.pragma('user_version', { simple: true })).to.equal(6);
        db.exec('DROP TABLE event_streams');
        expect(db.pragma('integrity_check', { simple: true })).to.equal('ok');
        expect(() =>
          db.exec(
            "INSERT INTO events SELECT 9999, stream, revision, '', '', '', 0, '', '' FROM events LIMIT 1",
          ),
        ).to.throw(/UNIQUE/);
      });
      temporary.store = await openEmbedded({ dataDir: temporary.dataDir, secretBox: testBox });
      expect(checked()).to.deep.equal({ sqlite: 'ok', history: null, indexes: 0 });
    });
  });
});

describe('embedded store: streams, some of whose events the index has', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ append: fc.nat(3), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ flush: fc.constantFrom('whole', 'begun', 'unsaved') }) },
    { weight: 1, arbitrary: fc.constant('reopen' as const) },
  );

  it('read as if it had all, whenever it is written and whenever a process ends', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const dir = mkdtempSync(join(tmpdir(), 'recado-test-'));
        const db = openDatabase(join(dir, 'recado.db'));
        db.pragma('synchronous = OFF');
        try {
          let history: History = createHistory(db);
          const model = new Map<string, number>();
          for (const one of steps) {
            if (one === 'reopen') history = createHistory(db);
            else if ('flush' in one) flush(history, one.flush);
            else {
              append(`s-${one.append}`, one.count);
            }
            // Another process of this history has nothing in memory but what the index lacks.
            for (const reader of [history, createHistory(db)]) {
              for (const [stream, length] of model) {
                for (const from of [0, 1, Math.max(0, length - 3)]) {
                  const numbers = reader.read(stream, from, 2).map(({ data }) => data['n']);
                  expect(numbers).to.deep.equal([from, from + 1].filter((n) => n < length));
                }
                expect(reader.index.last(stream)).to.equal(length - 1);
              }
            }
          }
          expect(historyProblem(db, 'it')).to.equal(null);

          function append(stream: string, count: number): void {
            const length = model.get(stream) ?? 0;
            const records = events(count, length).map(encodeRecord);
            db.transaction(() => history.append(stream, length === 0 ? 'no_stream' : length - 1, records))();
            history.committed?.();
            model.set(stream, length + count);
          }

          function flush({ index }: History, how: 'whole' | 'begun' | 'unsaved'): void {
            const to = history.head();
            const all = index.entries();
            const some = how === 'begun' ? all.slice(0, all.length / 2) : all;
            db.transaction(() => index.write(some))();
            // Others append between two transactions of a flush.
            append('s-0', 1);
            if (how !== 'whole') return;
            db.transaction(() => index.saveWritten(to))();
            index.forget(to);
          }
        } finally {
          db.close();
          rmSync(dir, { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  });
});
