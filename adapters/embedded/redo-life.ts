/**
 * A life of the redo log: what the connection writes until SQLite commits. Its pieces are durable in the file, and in
 * memory for the case that SQLite takes them back. Then the next life begins, under a name that the commit stores.
 */
import { randomBytes } from 'node:crypto';
import { messageOf } from '../../ports/thrown.js';
import type { Db, Statement } from './driver.js';
import { EXEC, recordWrites, type Recording } from './recording.js';
import { openRedoFile, piecesOf, RedoDamaged, type RedoFile } from './redo-file.js';
import { LIFE_BYTES } from './redo-piece.js';
import { createStatementReader } from './redo-records.js';

export interface RedoLife
  extends Pick<Recording, 'start' | 'stop'>, Pick<RedoFile, 'cut' | 'close' | 'bytes' | 'finish'> {
  /**
   * Makes durable what was noted since the last call. True: it is on return. Else `later` is called, with an error if
   * it is not in the log; nothing may be noted until then.
   * @param crowded as for `RedoFile.append`
   * @throws why it could not be made durable
   */
  keep(later: (error: Error | null) => void, crowded: boolean): boolean;
  /** What was noted since then is not in the log, and never will be. */
  forget(): void;
  /** Whether the log has nothing of this life. */
  isEmpty(): boolean;
  /** Statements that the log has of this life. */
  count(): number;
  /** Bytes of these statements with their values. `bytes` are those of the file, which may be far less: it compresses. */
  size(): number;
  /** In a transaction of SQLite: applies this life's pieces. @throws SQLite's error */
  apply(): void;
  /** In the transaction whose commit ends this life. */
  name(next: Buffer): void;
  /** After that commit. */
  begin(next: Buffer): void;
}

export const redoPath = (path: string): string => `${path}-redo`;

/**
 * Changes the connection: what is prepared from now on is noted.
 * @param outside called before something is written, or a log is copied, while nothing is noted
 */
export function createRedoLife(
  db: Db,
  path: string,
  outside: () => void,
  thread: Parameters<typeof openRedoFile>[1] = {},
): RedoLife {
  const nameLife = prepareLife(db);
  const apply = createApply(db);
  const file: RedoFile = openRedoFile(redoPath(path), thread);
  file.begin(lifeOf(db));
  const { statements, start, stop } = recordWrites(db, outside);
  /** What the log has of this life. */
  let pieces: Buffer[] = [];
  let size = 0;

  return {
    start,
    stop,
    keep(later, crowded) {
      const written = statements.bytes();
      if (written.length === 0) {
        statements.keep();
        return true;
      }
      const kept = (): void => {
        pieces.push(Buffer.from(written));
        size += written.length;
        statements.keep();
      };
      const durable = file.append(
        written,
        (error) => {
          if (error === null) kept();
          later(error);
        },
        crowded,
      );
      if (durable) kept();
      return durable;
    },
    forget: () => statements.forget(),
    isEmpty: () => pieces.length === 0,
    count: () => statements.count(),
    size: () => size,
    bytes: () => file.bytes(),
    apply: () => apply(pieces),
    name: (next) => void nameLife.run(next),
    begin(next) {
      pieces = [];
      size = 0;
      statements.begin();
      file.begin(next);
    },
    cut: () => file.cut(),
    finish: () => file.finish(),
    close: (remove) => file.close(remove),
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

export function lifeOf(db: Db): Buffer {
  const life = db.prepare<unknown[], Buffer>('SELECT life FROM redo').pluck().get();
  if (life?.length !== LIFE_BYTES) throw new RedoDamaged('the table redo names no life of the log');
  return life;
}
