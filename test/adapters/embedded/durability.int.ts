/** The guarantees of the embedded store for crashes, power cuts and second processes. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Database } from '../../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { assertVersion, openDatabase } from '../../../adapters/embedded/database.js';
import { CLAIM_SQL } from '../../../adapters/embedded/due-times-rows.js';
import { DataFolderInUse } from '../../../adapters/embedded/lock.js';
import { openEmbedded, type Embedded } from '../../../adapters/embedded/open.js';
import { START } from '../../../ports/event-store.js';
import { temporaryStore, testBox } from '../../conformance/embedded.js';
import { failure, record, streamName, until } from '../../conformance/support.js';
import { notes, relay } from './notes.js';

/** The child program is beside this file, in the sources and in the build. */
const CHILD = [...process.execArgv, join(import.meta.dirname, `child${extname(import.meta.filename)}`)];
const hasStrace = spawnSync('strace', ['-V']).status === 0;

describe('embedded store: durability', function () {
  this.timeout(120_000);
  let dataDir: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'recado-test-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  function start(...args: string[]): { child: ChildProcess; lines: () => string[]; line: Promise<string> } {
    const child = spawn(process.execPath, [...CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    let text = '';
    const line = new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('\n')) resolve(text.split('\n')[0]!);
      });
    });
    // Only whole lines count: the kill may have cut the last one.
    return { child, lines: () => text.split('\n').slice(0, -1), line };
  }

  const open = (): Promise<Embedded> =>
    openEmbedded({ dataDir, secretBox: testBox, inline: { projections: [notes], relay } });

  /** As the guard of projections does at every start. Each stream has one event. */
  async function catchUp({ eventStore, readModels }: Embedded): Promise<void> {
    for (let from = await readModels.checkpoint('notes'), atEnd = false; !atEnd;) {
      const { records, ...page } = await eventStore.readAll({ after: from, limit: 500 });
      const writes = notes.apply(records, () => undefined);
      if (page.next !== from)
        await readModels.commit('notes', { projection: 'notes', from, to: page.next, writes });
      from = page.next;
      atEnd = page.atEnd;
    }
  }

  it('runs in WAL mode with synchronous=FULL, on a new file and on one that is there', () => {
    for (let times = 0; times < 2; times += 1) {
      const db = openDatabase(join(dataDir, 'recado.db'));
      const pragma = (name: string) => db.pragma(name, { simple: true });
      expect(pragma('journal_mode')).to.equal('wal');
      expect(pragma('synchronous')).to.equal(2);
      expect(pragma('foreign_keys')).to.equal(1);
      expect(pragma('busy_timeout')).to.equal(5000);
      expect(pragma('temp_store')).to.equal(2);
      expect(pragma('journal_size_limit')).to.equal(67108864);
      db.close();
    }
  });

  it('refuses a SQLite with the WAL-reset fault, and says what to do', () => {
    for (const old of ['3.51.2', '3.50.9', '2.99.99'])
      expect(() => assertVersion(old)).to.throw(/too old.*3\.51\.3/);
    for (const good of ['3.51.3', '3.53.2', '4.0.0']) assertVersion(good);
  });

  it('refuses to run where a write-ahead log can not be had', () => {
    expect(() => openDatabase(':memory:')).to.throw(/journal mode "memory" instead of "wal"/);
  });

  it('refuses a data folder written by a newer release', () => {
    const path = join(dataDir, 'recado.db');
    const db = new Database(path);
    db.pragma('user_version = 999');
    db.close();
    expect(() => openDatabase(path)).to.throw(/newer release/);
  });

  it('brings a data folder of version 1 up, with its waiting entries', () => {
    const path = join(dataDir, 'recado.db');
    const old = new Database(path);
    old.exec(`
      CREATE TABLE due_entries (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL, lane TEXT NOT NULL,
        due_at INTEGER NOT NULL, claims INTEGER NOT NULL DEFAULT 0, fence INTEGER NOT NULL DEFAULT 0,
        lease_until INTEGER, payload TEXT NOT NULL, UNIQUE (queue, id)
      );
      CREATE INDEX due_waiting ON due_entries (queue, lane, due_at, seq) WHERE lease_until IS NULL;
      CREATE INDEX due_held ON due_entries (queue, lane, lease_until) WHERE lease_until IS NOT NULL;
      CREATE TABLE collections (
        name TEXT NOT NULL, version INTEGER NOT NULL, indexes TEXT NOT NULL, PRIMARY KEY (name, version)
      ) WITHOUT ROWID;
      INSERT INTO due_entries (queue, id, lane, due_at, lease_until, payload) VALUES ('q', '1', 'l', 5, 99, '{}');
      PRAGMA user_version = 1;
    `);
    old.close();
    const db = openDatabase(path);
    const rows = db.prepare(CLAIM_SQL).all('q', 'l', -1, 0, 10, 1) as { id: string }[];
    expect(rows.map(({ id }) => id)).to.deep.equal(['1']);
    db.close();
  });

  it('waits for the disk at least once for each commit', function () {
    if (!hasStrace) {
      this.test!.title += ' (skipped: strace is not installed)';
      return this.skip();
    }
    const trace = join(dataDir, 'trace');
    const redo = join(dataDir, 'recado.db-redo');
    const result = spawnSync(
      'strace',
      [
        '-f',
        '-y',
        '-e',
        'trace=openat,pwrite64',
        '-o',
        trace,
        process.execPath,
        ...CHILD,
        'commits',
        dataDir,
        '100',
      ],
      { encoding: 'utf8', timeout: 60_000 },
    );
    const commits = Number(result.stdout.trim());
    expect(commits).to.be.at.least(100);
    const calls = readFileSync(trace, 'utf8').split('\n');
    const opened = calls.find((call) => call.includes(`"${redo}"`) && call.includes('O_DSYNC'));
    const descriptor = /= (\d+)</.exec(opened ?? '')?.[1];
    expect(descriptor, 'each write to it waits for the disk').to.be.a('string');
    const written = calls.filter((call) => call.includes(`pwrite64(${descriptor}<${redo}>`));
    expect(written.length).to.be.at.least(commits);
  });

  it('refuses a second process on the same folder, and is free again once the first was killed', async () => {
    const first = start('open', dataDir);
    expect(await first.line).to.equal('open');
    const error = await failure(openEmbedded({ dataDir, secretBox: testBox }));
    expect(error).to.be.instanceOf(DataFolderInUse);
    expect(error.message)
      .to.include(dataDir)
      .and.to.match(/Stop that process/);
    const second = start('open', dataDir);
    expect(await second.line).to.match(/DataFolderInUse/);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await (await open()).close();
  });

  it('has every acknowledged event after kill -9, with its document, message and key', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { child, lines, line } = start('append', dataDir);
      await line;
      const enough = 40 + round * 97;
      await until(() => lines().length >= enough);
      child.kill('SIGKILL');
      await once(child, 'close');
      acknowledged.push(...lines());

      const store = await open();
      await catchUp(store);
      const ids = new Set<string>();
      let events = 0;
      let after = START;
      for (let atEnd = false; !atEnd;) {
        const page = await store.eventStore.readAll({ after, limit: 500 });
        for (const { eventId, stream, data } of page.records) {
          ids.add(eventId);
          events += 1;
          const keyId = data['key'] as string;
          expect((await store.personalKeys.open([keyId])).has(keyId), 'the key is there').to.equal(true);
          expect(await store.readModels.get('notes', stream), 'the document is there').to.not.equal(
            undefined,
          );
        }
        ({ next: after, atEnd } = page);
      }
      expect(acknowledged.filter((id) => !ids.has(id))).to.deep.equal([]);
      expect(await store.readModels.count('notes', 'by_n', [])).to.equal(events);
      expect(await store.readModels.checkpoint('notes')).to.equal(await store.eventStore.head());
      await store.close();
      const db = new Database(join(dataDir, 'recado.db'), { readonly: true });
      // There is no consumer, so no message is pruned.
      expect(db.prepare('SELECT count(*) FROM topic_messages').pluck().get()).to.equal(events);
      db.close();
    }
    expect(acknowledged.length).to.be.greaterThan(500);
  });

  it('notices a row that was changed behind its back', async () => {
    const temporary = await temporaryStore();
    const stream = streamName();
    await temporary.store.eventStore.append(stream, 'no_stream', [record({ amount: 100 })]);
    await temporary.store.close();
    const db = new Database(join(temporary.dataDir, 'recado.db'));
    db.prepare(`UPDATE events SET data = replace(data, '100', '900') WHERE stream = ?`).run(stream);
    db.close();
    temporary.store = await openEmbedded({ dataDir: temporary.dataDir, secretBox: testBox });
    const { eventStore, historyTexts } = temporary.store;
    expect((await failure(eventStore.read(stream))).message).to.match(/checksum/);
    expect((await failure(eventStore.readAll({ after: START, limit: 10 }))).name).to.equal('EventDamaged');
    expect((await failure(historyTexts.read({ after: START, limit: 10 }))).name).to.equal('EventDamaged');
    await temporary.close();
  });
});
