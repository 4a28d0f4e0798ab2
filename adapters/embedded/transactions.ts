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
import { messageOf } from '../../ports/thrown.js';
import { systemClock } from '../clock/system.js';
import type { Db, Statement } from './driver.js';
import type { LogPages } from './log-copier.js';
import type { Logger } from '../../ports/logger.js';
import { EXEC, recordWrites } from './recording.js';
import { LIFE_BYTES, openRedoFile, piecesOf, RedoDamaged, type RedoFile } from './redo-file.js';
import { createStatementReader } from './redo-records.js';

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
/**
 * After it has committed, each transaction is one of SQLite for so long. A program that writes to the file, as Litestream
 * does, would never find it free under load.
 */
const SHARED_MS = 50;
/** At these numbers SQLite commits at once: the pages of a transaction that is open are in memory. */
const MOST_STATEMENTS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;

export const redoPath = (path: string): string => `${path}-redo`;

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
  const nameLife = prepareLife(db);
  const apply = createApply(db);
  const plain = createPlainTransactions(db);
  const file: RedoFile = openRedoFile(redoPath(path));
  file.begin(lifeOf(db));
  const pragma = db.pragma.bind(db);
  const { statements, start, stop } = recordWrites(db, settle);
  const readPages = (): LogPages | undefined => (pragma('wal_checkpoint(NOOP)') as LogPages[])[0];
  let pages: LogPages | undefined;
  let open = false;
  /** What the log has of this life, for the case that SQLite takes it back. */
  let pieces: Buffer[] = [];
  /** SQLite could not commit the last time. */
  let failed = false;
  let each = 0;
  let sharedUntil = 0;
  let cancel: (() => void) | undefined;

  function perform(work: () => void): void {
    if (failed) settle();
    if (each > 0 || (!open && systemClock.monotonic() < sharedUntil)) return plain.perform(work);
    if (!open) openNow();
    savepoint.run();
    start();
    try {
      work();
      const written = statements.bytes();
      if (written.length > 0) {
        file.append(written);
        pieces.push(Buffer.from(written));
      }
      statements.keep();
    } catch (error) {
      statements.forget();
      stop();
      if (db.inTransaction) {
        undo.run();
        release.run();
        closeUnused();
      } else {
        // SQLite took everything back, not only this.
        open = false;
        if (pieces.length > 0) again();
      }
      throw error;
    }
    stop();
    release.run();
    closeUnused();
    if (statements.count() >= MOST_STATEMENTS || file.bytes() >= MOST_BYTES) settleLater();
  }

  function openNow(): void {
    begin.run();
    open = true;
    cancel ??= systemClock.after(SETTLE_MS, settleLater);
  }

  /** Nothing was written: other connections need not wait for the end of this transaction. */
  function closeUnused(): void {
    if (pieces.length > 0) return;
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
      nameLife.run(next);
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
    sharedUntil = systemClock.monotonic() + sharedMs;
    pages = readPages();
    pieces = [];
    statements.begin();
    file.begin(next);
  }

  /** Applies this life's pieces: SQLite took them back. @throws SQLite's error; the next call tries it again */
  function again(): void {
    failed = true;
    begin.run();
    try {
      apply(pieces);
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
      file.cut();
    },
    settleEach() {
      settle();
      each += 1;
      let ended = false;
      return () => {
        if (!ended) each -= 1;
        ended = true;
      };
    },
    waiting: () => file.bytes(),
    logPages: () => (open ? pages : readPages()),
    close() {
      try {
        settle();
        file.close(true);
      } catch (error) {
        // The next start applies it.
        logger.warn(
          { err: error },
          'SQLite could not commit what the redo log has; the next start applies it',
        );
        cancel?.();
        file.close(false);
      }
    },
  };
}

/**
 * Applies what the redo log has and the database lacks, in one transaction. For a connection that nothing else uses.
 * @throws RedoDamaged
 */
export function applyRedoLog(db: Db, path: string): void {
  // The life is read in the transaction that applies it: nobody can commit it meanwhile.
  const apply = db.transaction(() => {
    const pieces = piecesOf(redoPath(path), lifeOf(db));
    if (pieces.length === 0) return;
    try {
      createApply(db)(pieces);
    } catch (error) {
      throw new RedoDamaged(
        `${redoPath(path)} can't be applied to ${path}: ${messageOf(error)}. They are not of the same time.`,
        { cause: error },
      );
    }
    prepareLife(db).run(randomBytes(LIFE_BYTES));
  });
  apply.immediate();
}

function createApply(db: Db): (pieces: readonly Buffer[]) => void {
  // Not through what `recordWrites` puts in their place later: what is applied is in the log already.
  const prepare = db.prepare.bind(db);
  const exec = db.exec.bind(db);
  return (pieces) => {
    const read = createStatementReader();
    const prepared = new Map<string, Statement>();
    for (const piece of pieces) {
      for (const [sql, values] of read(piece)) {
        if (sql === EXEC) {
          exec(String(values[0]));
          continue;
        }
        let statement = prepared.get(sql);
        if (!statement) prepared.set(sql, (statement = prepare(sql)));
        // A statement with RETURNING gives rows; `run` refuses such a one.
        if (statement.reader) statement.all(...values);
        else statement.run(...values);
      }
    }
  };
}

const prepareLife = (db: Db): Statement => db.prepare('UPDATE redo SET life = ?');

function lifeOf(db: Db): Buffer {
  const life = db.prepare<unknown[], Buffer>('SELECT life FROM redo').pluck().get();
  if (life?.length !== LIFE_BYTES) throw new RedoDamaged('the table redo names no life of the log');
  return life;
}
