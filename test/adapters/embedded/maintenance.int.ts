import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BUSY_TIMEOUT_MS, openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { Database } from '../../../adapters/embedded/driver.js';
import { createLogCopier, type LogCopier, type LogPages } from '../../../adapters/embedded/log-copier.js';
import { startMaintenance } from '../../../adapters/embedded/maintenance.js';
import type { TopicLog } from '../../../adapters/embedded/topics.js';
import type { GroupWriter } from '../../../adapters/embedded/writer.js';
import { silentLogger } from '../../../ports/logger.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

const MEBIBYTE = 1024 * 1024;
const TICK_MS = 500;

describe('housekeeping of the embedded store', () => {
  const folder = openedForEach(tempFolder);

  /**
   * A database with its housekeeping, on a clock that stands still.
   * @param commits each `settle` is a commit
   */
  function opened(copier?: LogCopier, { commits = false } = {}) {
    const path = join(folder.path, 'recado.db');
    const db = openDatabase(path);
    const cuts: { readonly how: string; readonly busy: number; readonly waitsMs: unknown }[] = [];
    const copies: Promise<void>[] = [];
    /** Number of copies when it was settled. */
    const settled: number[] = [];
    /** What happened to the writer and the log, in order. */
    const happened: ('held' | 'released' | 'copied' | 'cut')[] = [];
    const watched = {
      pragma(text: string) {
        const result = db.pragma(text) as readonly { readonly busy: number }[];
        if (/RESTART|TRUNCATE/.test(text)) {
          cuts.push({ how: text, busy: result[0]!.busy, waitsMs: timeout() });
          happened.push('cut');
        }
        return result;
      },
    } as unknown as Db;
    const logPages = (): LogPages | undefined => (db.pragma('wal_checkpoint(NOOP)') as LogPages[])[0];
    const timeout = (): unknown => db.pragma('busy_timeout', { simple: true });
    const real = copier ?? createLogCopier(path);
    const clock = manualClock();
    let committed = (): void => undefined;
    let rounds = 0;
    const maintenance = startMaintenance({
      db: watched,
      transactions: {
        logPages,
        settle() {
          settled.push(copies.length);
          if (commits) committed();
        },
        onCommitted: (listener) => (committed = listener),
      },
      walBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      copier: {
        copy() {
          const copy = real.copy().then(() => void happened.push('copied'));
          copies.push(copy);
          return copy;
        },
        close: () => real.close(),
      },
      room: {
        look() {
          rounds += 1;
          return Promise.resolve();
        },
      },
      topics: { prunable: () => false } as unknown as TopicLog,
      writer: {
        hold() {
          happened.push('held');
          return () => void happened.push('released');
        },
      } as unknown as GroupWriter,
      clock,
      logger: silentLogger,
    });
    db.exec('CREATE TABLE filler (bytes)');
    const fill = db.prepare('INSERT INTO filler VALUES (zeroblob(?))');
    return {
      path,
      clock,
      cuts,
      copies,
      settled,
      happened,
      timeout,
      write: db.transaction((mebibytes: number) => {
        for (let n = 0; n < mebibytes; n += 1) fill.run(MEBIBYTE);
      }),
      committed: () => committed(),
      rounds: () => rounds,
      left(): number {
        const pages = logPages();
        return pages!.log - pages!.checkpointed;
      },
      /** Waits for the round in progress. */
      stop: () => maintenance.stop(),
      async close() {
        await maintenance.stop();
        db.close();
      },
    };
  }

  /** Returns the checkpoints that cut a log of this size while another process's reader holds it open. */
  async function cutting(mebibytes: number) {
    const store = opened();
    const reader = new Database(store.path, { readonly: true });
    try {
      reader.prepare('BEGIN').run();
      reader.prepare('SELECT count(*) FROM events').get();
      store.write(mebibytes);
      await store.clock.advance(TICK_MS);
      await store.stop();
      return { cuts: store.cuts, after: store.timeout() };
    } finally {
      reader.close();
      await store.close();
    }
  }

  it('does not wait for a reader of another process when the log is started over', async () => {
    const { cuts, after } = await cutting(33);
    expect(cuts).to.deep.equal([{ how: 'wal_checkpoint(RESTART)', busy: 1, waitsMs: 0 }]);
    expect(after, 'everybody else waits as before').to.equal(BUSY_TIMEOUT_MS);
  });

  it('does not wait for it when the file of the log is cut', async () => {
    const { cuts, after } = await cutting(66);
    expect(cuts).to.deep.equal([{ how: 'wal_checkpoint(TRUNCATE)', busy: 1, waitsMs: 0 }]);
    expect(after).to.equal(BUSY_TIMEOUT_MS);
  });

  it('copies a short log only after half a minute, in a thread, and an empty one never', async () => {
    const store = opened();
    try {
      store.write(8);
      await store.clock.advance(29_000);
      expect(store.copies).to.have.length(0);
      expect(store.left()).to.be.greaterThan(2_048);
      await store.clock.advance(1_500);
      expect(store.copies).to.have.length(1);
      await store.copies[0];
      expect(store.left()).to.equal(0);
      expect(store.cuts).to.deep.equal([]);
      expect(store.settled).to.deep.equal([]);
      await store.clock.advance(60_000);
      expect(store.copies).to.have.length(1);
    } finally {
      await store.close();
    }
  });

  it('commits before it copies a long log, so that little is left when it is started over', async () => {
    const store = opened();
    try {
      store.write(33);
      await store.clock.advance(TICK_MS);
      await store.stop();
      expect(store.settled, 'before and after the copy').to.deep.equal([0, 1]);
      expect(store.copies).to.have.length(1);
      expect(store.cuts).to.deep.equal([{ how: 'wal_checkpoint(RESTART)', busy: 0, waitsMs: 0 }]);
    } finally {
      await store.close();
    }
  });

  /** While the thread makes its first copy, so much is committed. @param fails the copy does */
  async function copiedWhileWriting(mebibytes: number, { fails = false } = {}) {
    const other = new Database(join(folder.path, 'recado.db'));
    const reader = new Database(join(folder.path, 'recado.db'), { readonly: true });
    const copier: LogCopier = {
      copy() {
        if (store.copies.length === 0) {
          // The checkpoint stops at what this reader sees.
          reader.exec('BEGIN; SELECT count(*) FROM filler');
          for (let n = 0; n < mebibytes; n += 1) {
            store.write(1);
            store.committed();
          }
        }
        other.pragma('wal_checkpoint(PASSIVE)');
        if (reader.inTransaction) reader.exec('COMMIT');
        return fails ? Promise.reject(new Error('no thread')) : Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
    const store = opened(copier);
    try {
      store.write(33);
      await store.clock.advance(TICK_MS);
      await store.stop();
      return store.happened;
    } finally {
      other.close();
      reader.close();
      await store.close();
    }
  }

  it('copies again what was committed while the thread copied a long log', async () => {
    expect(await copiedWhileWriting(2)).to.deep.equal(['copied', 'copied', 'cut']);
  });

  it('lets everybody write while the thread copies a log of 47 MiB', async () => {
    expect(await copiedWhileWriting(14)).to.deep.equal(['copied', 'copied', 'cut']);
  });

  it('lets nobody write until a log of 48 MiB is copied and started over', async () => {
    const happened = await copiedWhileWriting(17);
    expect(happened).to.deep.equal(['held', 'copied', 'copied', 'cut', 'released']);
  });

  it('lets everybody write again after a copy that failed', async () => {
    expect(await copiedWhileWriting(17, { fails: true })).to.deep.equal(['held', 'released']);
  });

  it('leaves a few pages to the restart of the log', async () => {
    expect(await copiedWhileWriting(0)).to.deep.equal(['copied', 'cut']);
  });

  it('copies a log at once that a commit has made long, and leaves a short one for later', async () => {
    const store = opened();
    try {
      store.write(31);
      store.committed();
      await store.clock.advance(0);
      expect(store.rounds(), 'for a short log').to.equal(0);
      store.write(2);
      store.committed();
      await store.clock.advance(0);
      expect(store.copies, 'of a long log').to.have.length(1);
    } finally {
      await store.close();
    }
  });

  it('begins no other round at once because of its own commits, where a reader keeps the log long', async () => {
    const store = opened(
      { copy: () => Promise.resolve(), close: () => Promise.resolve() },
      { commits: true },
    );
    const reader = new Database(store.path, { readonly: true });
    try {
      reader.prepare('BEGIN').run();
      reader.prepare('SELECT count(*) FROM events').get();
      store.write(33);
      store.committed();
      await store.clock.advance(0);
      expect(store.rounds()).to.equal(1);
      await store.clock.advance(TICK_MS - 1);
      expect(store.rounds(), 'before the timer').to.equal(1);
      await store.clock.advance(1);
      expect(store.rounds(), 'by the timer').to.equal(2);
      expect(store.left()).to.be.greaterThan(8_192);
    } finally {
      reader.close();
      await store.close();
    }
  });

  it('leaves 80 MiB to the thread: the commit itself copies nothing', async () => {
    const store = opened();
    try {
      store.write(80);
      expect(store.left()).to.be.greaterThan(80 * 256);
    } finally {
      await store.close();
    }
  });

  it('tries again after a copy that failed', async () => {
    let failures = 2;
    const copier = {
      copy: () => (failures-- > 0 ? Promise.reject(new Error('no thread')) : Promise.resolve()),
      close: () => Promise.resolve(),
    };
    const store = opened(copier);
    try {
      store.write(33);
      await store.clock.advance(TICK_MS * 3);
      expect(store.rounds()).to.equal(3);
      expect(store.copies, 'two that failed, and two of the log').to.have.length(4);
      expect(store.cuts.map(({ how }) => how)).to.deep.equal(['wal_checkpoint(RESTART)']);
      expect(store.left()).to.equal(0);
    } finally {
      await store.close();
    }
  });
});
