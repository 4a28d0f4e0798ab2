/** Advice for the operator about a file that SQLite or the operating system refuses to work with. */
import { join } from 'node:path';
import { codeOf } from '../../ports/thrown.js';
import { DatabaseRefused } from './database.js';
import { Database } from './driver.js';
import { restoreInstead } from './restore-advice.js';

/** Null when the error is not about the file, its folder or its disk. */
export function databaseRefusal(error: unknown, dataDir: string): DatabaseRefused | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const todo = whatToDo(one, dataDir);
    if (todo !== null)
      return new DatabaseRefused(`${todo[0]} (${one.message}). ${todo[1]}`, { cause: error });
  }
  return null;
}

/** @returns the problem, and its remedy */
function whatToDo(error: Error, dataDir: string): readonly [string, string] | null {
  const code = String(codeOf(error));
  const path = join(dataDir, 'recado.db');
  if (error instanceof Database.SqliteError) {
    if (/^SQLITE_(CORRUPT|NOTADB|SCHEMA)/.test(code)) {
      return [`${path} is damaged`, `Keep the folder as it is. ${restoreInstead(dataDir)}`];
    }
    if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return notWritable(path, dataDir);
    if (code.startsWith('SQLITE_FULL')) return full(dataDir);
    if (code.startsWith('SQLITE_IOERR')) {
      return [
        `The disk of DATA_DIR ${dataDir} fails`,
        `Look at the disk and its mount, then start again. If files were lost: ${restoreInstead(dataDir)}`,
      ];
    }
    return null;
  }
  if (!('path' in error && typeof error.path === 'string' && error.path.startsWith(dataDir))) return null;
  if (['EACCES', 'EPERM', 'EROFS', 'EISDIR'].includes(code)) return notWritable(path, dataDir);
  return code === 'ENOSPC' ? full(dataDir) : null;
}

const notWritable = (path: string, dataDir: string): readonly [string, string] => [
  `${path} can not be written`,
  `The user of this process has to own DATA_DIR and every file in it, on a disk that is mounted for writing. Check: ls -la ${dataDir}.`,
];

const full = (dataDir: string): readonly [string, string] => [
  `The disk of DATA_DIR ${dataDir} is full`,
  'Free space there, or move the folder to a larger disk.',
];
