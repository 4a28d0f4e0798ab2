/**
 * Notes what the statements of a connection write, with the values that are bound. Applied again to the database as it
 * was, in the same order, they give the same content: so a statement that writes uses no clock and no random number of
 * SQLite.
 */
import type { Db, Statement } from './driver.js';
import { createStatements, type Statements } from './redo-records.js';

/** In place of a statement's text: its one value is a text of statements. */
export const EXEC = '';

export interface Recording {
  readonly statements: Statements;
  /** From here on, what is written is noted. */
  readonly start: () => void;
  readonly stop: () => void;
}

/**
 * Changes the connection: statements that are prepared from now on, and `exec`, are noted.
 * @param outside called before something is written, or a log is copied, while nothing is noted
 */
export function recordWrites(db: Db, outside: () => void): Recording {
  const statements = createStatements();
  let noting = false;

  function note<Value, Result>(sql: string, write: (...values: Value[]) => Result) {
    return (...values: Value[]): Result => {
      if (!noting) outside();
      const result = write(...values);
      if (noting) statements.add(sql, values);
      return result;
    };
  }

  function watched(statement: Statement, sql: string): Statement {
    if (statement.readonly) return statement;
    return Object.assign(statement, {
      run: note(sql, statement.run.bind(statement)),
      get: note(sql, statement.get.bind(statement)),
      all: note(sql, statement.all.bind(statement)),
    });
  }

  const native = {
    prepare: db.prepare.bind(db),
    exec: db.exec.bind(db),
    pragma: db.pragma.bind(db),
    transaction: db.transaction.bind(db),
  };

  const alone =
    (run: (...values: unknown[]) => unknown) =>
    (...values: unknown[]): unknown => {
      if (!noting) outside();
      return run(...values);
    };

  Object.assign(db, {
    prepare: (sql: string) => watched(native.prepare(sql), sql),
    exec: note(EXEC, native.exec),
    pragma(source: string, options?: { readonly simple?: boolean }) {
      if (source.startsWith('wal_checkpoint')) outside();
      return native.pragma(source, options);
    },
    transaction(work: (...values: unknown[]) => unknown) {
      const made = native.transaction(work);
      return Object.assign(
        alone((...values) => made(...values)),
        {
          deferred: alone((...values) => made.deferred(...values)),
          immediate: alone((...values) => made.immediate(...values)),
          exclusive: alone((...values) => made.exclusive(...values)),
        },
      );
    },
  });

  return {
    statements,
    start: () => void (noting = true),
    stop: () => void (noting = false),
  };
}
