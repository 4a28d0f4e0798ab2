/**
 * The SQLite driver: better-sqlite3 in two versions with the same interface, because each Node can use only one.
 *
 * Version 13 needs Node-API 10, which Node 20 lacks: it crashes there when it is loaded. Version 12 aborts the process
 * when a statement is garbage-collected, if it was compiled for Node 24.19 or later
 * (https://github.com/nodejs/node/issues/65446).
 */
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

export type Db = Sqlite.Database;
export type Statement<Row = unknown> = Sqlite.Statement<unknown[], Row>;

const hasNodeApi10 = Number(process.versions['napi']) >= 10;
/** The package's name, for a thread that loads it by itself. */
export const driverName = hasNodeApi10 ? 'better-sqlite3-napi' : 'better-sqlite3';

export const Database = load();

function load(): typeof Sqlite {
  try {
    return createRequire(import.meta.url)(driverName) as typeof Sqlite;
  } catch (error) {
    throw new Error(
      `The SQLite driver for Node ${process.versions.node} (${driverName}) can't be loaded. ` +
        'Run npm ci with this Node, without leaving out optional packages. ' +
        'Version 12 is compiled where no prebuilt binary fits: that needs Python, make and a C++ compiler.',
      { cause: error },
    );
  }
}
