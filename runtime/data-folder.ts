/** Checks the folder of an installation before anything in it is opened. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../ports/thrown.js';
import { loadMasterKey } from '../adapters/crypto/master-key.js';
import { preparePrivateFolder } from '../adapters/embedded/private-files.js';
import { restoreInstead } from '../adapters/embedded/restore-advice.js';
import { ConfigError, type Config } from './config.js';
import { demoWasBrokenOff } from './demo/demo.js';

/** @throws ConfigError where the operator must check DATA_DIR or the key */
export function prepareFolder(config: Config): ReturnType<typeof loadMasterKey> {
  if (config.realStack === null) refuseIncomplete(config);
  try {
    // Except for a demo, a process on EventStoreDB, MongoDB and Kafka keeps nothing on its disk.
    if (config.realStack === null || config.demo) preparePrivateFolder(config.dataDir);
    return loadMasterKey({ given: config.masterKey ?? undefined, dataDir: config.dataDir });
  } catch (error) {
    const what = config.masterKey === null ? `DATA_DIR ${config.dataDir}` : 'RECADO_MASTER_KEY';
    throw new ConfigError(`${what} can not be used: ${messageOf(error).replace(/\.$/, '')}.`);
  }
}

/**
 * Refuses a folder with an aborted restore, a missing key or a missing database. A start would create a new history, or
 * a new key for data that it can't open.
 * @throws ConfigError
 */
function refuseIncomplete({ dataDir, masterKey }: Config): void {
  const has = (name: string): boolean => existsSync(join(dataDir, name));
  if (has('recado.db.restoring') && !has('recado.db')) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} holds a restore that was broken off. Remove the folder and run recado restore again.`,
    );
  }
  if (masterKey === null && has('recado.db') && !has('master.key')) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} holds a database and no master.key. Put the key that it was begun with there, or set RECADO_MASTER_KEY: with a new one nothing that is stored could be read.`,
    );
  }
  const before = USED.find(has);
  if (before === undefined || demoWasBrokenOff(dataDir) || !isEmpty(join(dataDir, 'recado.db'))) return;
  throw new ConfigError(
    `DATA_DIR ${dataDir} holds ${before} and ${has('recado.db') ? 'an empty' : 'no'} recado.db: the database of this installation is gone. Put it back with its -wal and -redo files. ${restoreInstead(dataDir)} To begin anew, name an empty folder.`,
  );
}

/** Files that only a completed start leaves, and images that belong to a history. */
const USED = ['credentials.json', 'blobs'];

/** SQLite treats an empty file as a new database. Data that is only in its write-ahead log is not lost. */
function isEmpty(path: string): boolean {
  const bytes = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return bytes(path) === 0 && bytes(`${path}-wal`) === 0;
}
