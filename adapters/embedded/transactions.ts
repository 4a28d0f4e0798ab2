/**
 * How the writer's transactions become durable. SQLite writes whole pages: a commit of some rows in twenty trees is
 * twenty pages of 4 KiB, and the next one writes most of them again. So a transaction of the writer is a savepoint in
 * one transaction of SQLite that stays open, and what makes it durable is its statements in the redo log, in one write
 * of a few kilobytes. SQLite commits every two seconds, then the log begins anew.
 *
 * A start applies the log to the database. So does a running process after SQLite could not commit and took everything
 * back. Nobody sees the time between: no event-loop tick lies in it.
 */
import { randomBytes } from 'node:crypto';
import { systemClock } from '../clock/system.js';
import type { Db } from './driver.js';
import type { LogPages } from './log-copier.js';
import type { Logger } from '../../ports/logger.js';
import { createRedoLife } from './redo-life.js';
import { LIFE_BYTES } from './redo-piece.js';
import { createSharing, SHARED_MS } from './sharing.js';

export interface Transactions {
  /**
   * Runs work that writes. True: what it wrote is durable on return. Else `later` is called once, when it is, or with
   * the reason why it could not be made durable: nothing of it is left then. One at a time.
   * @param crowded it is large, or many requests wait for it
   * @throws what the work threw, or why it could not be made durable; nothing of it is left then
   */
  perform(work: () => void, later: (error: Error | null) => void, crowded?: boolean): boolean;
}

/** Each transaction is one of SQLite. */
export function createPlainTransactions(db: Db): Transactions {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  return {
    perform(work) {
      begin.run();
      try {
        work();
        commit.run();
      } catch (error) {
        // SQLite has already rolled back after some errors (disk full, I/O).
        if (db.inTransaction) rollback.run();
        throw error;
      }
      return true;
    },
  };
}

export interface RedoTransactions extends Transactions {
  /** Waits here for the transaction that is under way; its `later` is called before the return. */
  finish(): void;
  /** Commits what is only in the redo log. Other connections see it then. @throws SQLite's error */
  settle(): void;
  /** `settle`, and nothing of the log is left on the disk. */
  settleAndCut(): void;
  /** From now on each transaction is one of SQLite, until the returned function is called. @throws SQLite's error */
  settleEach(): () => void;
  /** Bytes of the redo log that SQLite has not committed. */
  waiting(): number;
  /** Pages of SQLite's log, as of the last commit. */
  logPages(): LogPages | undefined;
  /** `listener` is called each time when SQLite has committed. */
  onCommitted(listener: () => void): void;
  /** Settles; later work is refused. */
  close(): void;
}

/** Other connections see a transaction so much later, and a start has so much to apply. */
const SETTLE_MS = 2_000;
/** At these numbers SQLite commits at once: the pages of a transaction that is open are in memory. */
const MOST_STATEMENTS = 20_000;
const MOST_BYTES = 8 * 1024 * 1024;

export function createRedoTransactions(
  db: Db,
  path: string,
  {
    logger,
    sharedMs = SHARED_MS,
    slowMs,
  }: {
    readonly logger: Logger;
    readonly sharedMs?: number;
    /** Where a write of the log usually takes so long, a thread does it. */
    readonly slowMs?: number | undefined;
  },
): RedoTransactions {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT step');
  const release = db.prepare('RELEASE step');
  const undo = db.prepare('ROLLBACK TO step');
  const plain = createPlainTransactions(db);
  const sharing = createSharing(sharedMs);
  const pragma = db.pragma.bind(db);
  const readPages = (): LogPages | undefined => (pragma('wal_checkpoint(NOOP)') as LogPages[])[0];
  const life = createRedoLife(db, path, settle, {
    slowMs,
    onThreadGone: (reason) =>
      logger.warn(
        { err: reason },
        'the thread that writes the redo log ended; until the next start the server waits for the disk itself',
      ),
  });
  let pages: LogPages | undefined;
  let open = false;
  /** SQLite could not commit the last time. */
  let failed = false;
  let cancel: (() => void) | undefined;
  /** A piece is being written. What it holds is in SQLite's transaction, under the savepoint. */
  let underWay = false;
  /** SQLite is to commit when it is written. */
  let due = false;
  let committed: () => void = () => undefined;

  function perform(work: () => void, later: (error: Error | null) => void, crowded = false): boolean {
    if (failed) settle();
    if (sharing.isAsked() || (!open && sharing.isMoment())) {
      plain.perform(work, later);
      committed();
      return true;
    }
    if (!open) openNow();
    savepoint.run();
    life.start();
    let durable: boolean;
    try {
      work();
      durable = life.keep((error) => later(ended(error)), crowded);
    } catch (error) {
      life.stop();
      takeBack();
      throw error;
    }
    life.stop();
    if (durable) keep();
    else underWay = true;
    return durable;
  }

  /** The piece was written, or could not be. */
  function ended(error: Error | null): Error | null {
    underWay = false;
    if (error) {
      try {
        takeBack();
      } catch (thrown) {
        logger.warn({ err: thrown }, 'SQLite could not take back a refused transaction; it is tried again');
      }
    } else {
      keep();
    }
    if (due) settleLater();
    return error;
  }

  function keep(): void {
    release.run();
    closeUnused();
    if (life.count() >= MOST_STATEMENTS || life.size() >= MOST_BYTES) settleLater();
  }

  function takeBack(): void {
    life.forget();
    if (db.inTransaction) {
      undo.run();
      release.run();
      closeUnused();
    } else {
      // SQLite took everything back, not only this.
      open = false;
      if (!life.isEmpty()) again();
    }
  }

  function openNow(): void {
    begin.run();
    open = true;
    cancel ??= systemClock.after(SETTLE_MS, settleLater);
  }

  /** Nothing was written: other connections need not wait for the end of this transaction. */
  function closeUnused(): void {
    if (!life.isEmpty()) return;
    rollback.run();
    open = false;
    cancel?.();
    cancel = undefined;
  }

  /** Its work is durable already, so nobody is refused because of an error: it is tried again. */
  function settleLater(): void {
    due = underWay;
    if (due) return;
    try {
      settle();
    } catch (error) {
      logger.warn({ err: error }, 'SQLite could not commit what the redo log has; it is tried again');
    }
  }

  function settle(): void {
    if (underWay) life.finish();
    cancel?.();
    cancel = undefined;
    if (!open && !failed) return;
    const next = randomBytes(LIFE_BYTES);
    try {
      if (!open) again();
      life.name(next);
      commit.run();
    } catch (error) {
      failed = true;
      cancel = systemClock.after(SETTLE_MS, settleLater);
      open = db.inTransaction;
      if (!open) again();
      throw error;
    }
    open = false;
    failed = false;
    sharing.committed();
    pages = readPages();
    life.begin(next);
    committed();
  }

  /** Applies this life's pieces: SQLite took them back. @throws SQLite's error; the next call tries it again */
  function again(): void {
    failed = true;
    begin.run();
    try {
      life.apply();
    } catch (error) {
      if (db.inTransaction) rollback.run();
      throw error;
    }
    open = true;
  }

  return {
    perform,
    finish: () => life.finish(),
    settle,
    settleAndCut() {
      settle();
      life.cut();
    },
    settleEach() {
      settle();
      return sharing.ask();
    },
    waiting: () => life.bytes(),
    logPages: () => (open ? pages : readPages()),
    onCommitted(listener) {
      committed = listener;
    },
    close() {
      try {
        settle();
        life.close(true);
      } catch (error) {
        // The next start applies it.
        logger.warn(
          { err: error },
          'SQLite could not commit what the redo log has; the next start applies it',
        );
        cancel?.();
        life.close(false);
      }
    },
  };
}
