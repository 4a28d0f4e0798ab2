/**
 * How the writer's transactions become durable. SQLite writes whole pages: a commit of some rows in twenty trees is
 * twenty pages of 4 KiB, and the next one writes most of them again. So a transaction of the writer is a savepoint in
 * one transaction of SQLite that stays open, and what makes it durable is its statements in the redo log, in one write
 * of a few kilobytes. SQLite commits once a second, then the log begins anew.
 *
 * A start applies the log to the database. So does a running process after SQLite could not commit and took everything
 * back. Nobody sees the time between: no event-loop tick lies in it.
 */
import { randomBytes } from 'node:crypto';
import { systemClock } from '../clock/system.js';
import type { Db } from './driver.js';
import type { LogPages } from './log-copier.js';
import type { Logger } from '../../ports/logger.js';
import { LIFE_BYTES } from './redo-file.js';
import { createRedoLife } from './redo-life.js';

export interface Transactions {
  /**
   * Runs work that writes. What it wrote is durable on return.
   * @throws what the work threw, or why it could not be made durable; nothing of it is left then
   */
  perform(work: () => void): void;
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
    },
  };
}

/**
 * After it has committed, each transaction is one of SQLite for so long. A program that writes to the file, as Litestream
 * does, would never find it free under load.
 */
const SHARED_MS = 50;

/** When each transaction is one of SQLite: as long as that is asked for, and a moment after SQLite has committed. */
interface Sharing {
  isAsked(): boolean;
  isMoment(): boolean;
  /** Until the returned function is called. */
  ask(): () => void;
  committed(): void;
}

function createSharing(sharedMs: number): Sharing {
  let asked = 0;
  let until = 0;
  return {
    isAsked: () => asked > 0,
    isMoment: () => systemClock.monotonic() < until,
    ask() {
      asked += 1;
      let ended = false;
      return () => {
        if (!ended) asked -= 1;
        ended = true;
      };
    },
    committed() {
      until = systemClock.monotonic() + sharedMs;
    },
  };
}

export interface RedoTransactions extends Transactions {
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
  /** Settles; later work is refused. */
  close(): void;
}

/** Other connections see a transaction so much later, and a start has so much to apply. */
const SETTLE_MS = 1_000;
/** At these numbers SQLite commits at once: the pages of a transaction that is open are in memory. */
const MOST_STATEMENTS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;

export function createRedoTransactions(
  db: Db,
  path: string,
  { logger, sharedMs = SHARED_MS }: { readonly logger: Logger; readonly sharedMs?: number },
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
  const life = createRedoLife(db, path, settle);
  let pages: LogPages | undefined;
  let open = false;
  /** SQLite could not commit the last time. */
  let failed = false;
  let cancel: (() => void) | undefined;

  function perform(work: () => void): void {
    if (failed) settle();
    if (sharing.isAsked() || (!open && sharing.isMoment())) return plain.perform(work);
    if (!open) openNow();
    savepoint.run();
    life.start();
    try {
      work();
      life.keep();
    } catch (error) {
      life.forget();
      life.stop();
      if (db.inTransaction) {
        undo.run();
        release.run();
        closeUnused();
      } else {
        // SQLite took everything back, not only this.
        open = false;
        if (!life.isEmpty()) again();
      }
      throw error;
    }
    life.stop();
    release.run();
    closeUnused();
    if (life.count() >= MOST_STATEMENTS || life.bytes() >= MOST_BYTES) settleLater();
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
    try {
      settle();
    } catch (error) {
      logger.warn({ err: error }, 'SQLite could not commit what the redo log has; it is tried again');
    }
  }

  function settle(): void {
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
