/** Findings about an installation without a request to its server: settings, files, disk, the database itself. */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '../../ports/thrown.js';
import { freeBytesNow } from '../../adapters/embedded/disk.js';
import { DataFolderInUse, lockFolder } from '../../adapters/embedded/lock.js';
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { peekDocument } from '../../adapters/embedded/peek.js';
import { waitingInRedoLog } from '../../adapters/embedded/peek-redo.js';
import { openToOthers } from '../../adapters/embedded/private-files.js';
import { restoreInstead } from '../../adapters/embedded/restore-advice.js';
import { unfinishedIn } from '../backup/files.js';
import { ConfigError, readConfig, type Config } from '../config.js';
import { databaseFindings } from './database.js';
import { LARGE_LOG, LOW_DISK } from './limits.js';
import { ID, opens } from '../master-key-check.js';
import { fail, ok, warn, type Finding } from '../../api/admin/doctor.js';
import { deployment, type MasterKeyDoc } from '../../read-models/deployment.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Below LOW_DISK a warning, below this a failure: SQLite stops when the disk is full. */
const NO_DISK = 256 * 1024 ** 2;
const OLDEST_NODE = [20, 19] as const;

/** @param deep also reads the whole database: minutes for a large one */
export function localFindings(env: Env, dataDirGiven: string | undefined, deep: boolean): readonly Finding[] {
  const findings: Finding[] = [nodeVersion()];
  let config: Config;
  try {
    config = readConfig({ ...env, ...(dataDirGiven === undefined ? {} : { DATA_DIR: dataDirGiven }) }, false);
    findings.push(ok('settings', 'Every setting in the environment can be read.'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...findings, fail('settings', error.message, 'Correct it where the server is started.')];
  }
  findings.push(...exposure(config));
  if (config.realStack !== null) return findings;
  const { dataDir } = config;
  const folder = dataFolder(dataDir);
  findings.push(...folder);
  if (folder.some(({ status }) => status === 'fail') || !has(dataDir, 'recado.db')) return findings;
  findings.push(disk(dataDir), ...secretFiles(dataDir), masterKey(config), ...leftovers(config));
  const inUse = isInUse(dataDir);
  findings.push(lock(inUse), logSize(dataDir), ...(inUse ? [] : [redoLog(dataDir)]));
  findings.push(...databaseFindings(dataDir, deep));
  return findings;
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [least, leastMinor] = OLDEST_NODE;
  return major > least || (major === least && minor >= leastMinor)
    ? ok('node', `Node.js ${process.versions.node}.`)
    : fail(
        'node',
        `Node.js ${process.versions.node} is too old.`,
        `Install ${OLDEST_NODE.join('.')} or newer.`,
      );
}

function exposure(config: Config): readonly Finding[] {
  const found: Finding[] = [];
  const local = ['127.0.0.1', '::1', 'localhost'].includes(config.host);
  if (!local && config.demo) {
    found.push(
      warn(
        'exposure',
        `The demo workspace listens on ${config.host}: others reach it.`,
        'Set HOST=127.0.0.1, or DEMO=off and provision a workspace of your own.',
      ),
    );
  }
  if (config.allowPrivate === 'all') {
    found.push(
      warn(
        'exposure',
        'WEBHOOK_ALLOW_PRIVATE lets webhook addresses point into your own network.',
        'Leave it out unless every integrator is trusted.',
      ),
    );
  }
  if (config.whatsappApiUrl !== null && config.whatsappAppSecret === null) {
    found.push(
      warn(
        'whatsapp_secret',
        'WHATSAPP_API_URL is set and WHATSAPP_APP_SECRET is not: webhooks of Meta will not pass the signature check.',
        "Set it to the app secret of your Meta app, and WHATSAPP_VERIFY_TOKEN to the webhook's verify token.",
      ),
    );
  }
  return found;
}

const has = (dataDir: string, name: string): boolean =>
  statSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined;

function dataFolder(dataDir: string): readonly Finding[] {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found || !has(dataDir, 'recado.db')) {
    return [
      has(dataDir, 'recado.db.restoring')
        ? fail(
            'data_folder',
            `${dataDir} holds a restore that was broken off.`,
            'Remove the folder and run recado restore again.',
          )
        : warn(
            'data_folder',
            `${dataDir} holds no data yet.`,
            'Start the server, or name its folder with --data-dir.',
          ),
    ];
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      fail('data_folder', `This user may not write to ${dataDir}.`, `Run: chown -R "$(whoami)" ${dataDir}`),
    ];
  }
  return (found.mode & 0o077) === 0
    ? [ok('data_folder', `${dataDir} belongs to its owner alone.`)]
    : [
        warn(
          'data_folder',
          `Other users can read ${dataDir} (mode ${(found.mode & 0o777).toString(8)}).`,
          `Run: chmod 700 ${dataDir}`,
        ),
      ];
}

function disk(dataDir: string): Finding {
  const free = freeBytesNow(dataDir);
  const said = `${(free / 1024 ** 3).toFixed(1)} GiB are free on the disk of ${dataDir}.`;
  const todo = 'Free space, move old backups away, or move the folder to a larger disk.';
  if (free < NO_DISK) return fail('disk', said, todo);
  return free < LOW_DISK ? warn('disk', said, todo) : ok('disk', said);
}

/** A copy of these files stays usable: restricting their permissions is not enough, once others had access. */
const SECRETS = ['master.key', 'credentials.json'];

function secretFiles(dataDir: string): readonly Finding[] {
  const open = openToOthers(dataDir).filter((name) => name !== '.');
  const closed = [...SECRETS, 'recado.db'].filter((name) => has(dataDir, name) && !open.includes(name));
  return [
    ...open.map((name) => {
      const { mode, isFolder } = modeOf(join(dataDir, name));
      const said = `${name} can be read by other users (mode ${mode.toString(8)}).`;
      const close = `Run: chmod ${isFolder ? '700' : '600'} ${join(dataDir, name)}`;
      return SECRETS.includes(name)
        ? fail('permissions', said, `${close}, and rotate what it holds if others had access.`)
        : warn('permissions', said, close);
    }),
    ...closed.map((name) => ok('permissions', `${name} can be read by its owner alone.`)),
  ];
}

function modeOf(path: string): { readonly mode: number; readonly isFolder: boolean } {
  const found = statSync(path);
  return { mode: found.mode & 0o777, isFolder: found.isDirectory() };
}

function masterKey({ dataDir, masterKey: given }: Config): Finding {
  const path = join(dataDir, 'master.key');
  if (given === null && !has(dataDir, 'master.key')) {
    return fail(
      'master_key',
      'There is no master key: neither master.key in the data folder nor RECADO_MASTER_KEY.',
      `Put the key that this deployment was begun with into ${path} (mode 600).`,
    );
  }
  try {
    const { key } = loadMasterKey({ given: given ?? undefined, dataDir });
    const check = peekDocument<MasterKeyDoc>(join(dataDir, 'recado.db'), deployment, ID);
    if (check && !opens(check, createSecretBox(key))) {
      return fail(
        'master_key',
        'The master key is not the one that this deployment was begun with.',
        'Give back the key of the beginning: nothing that is sealed opens with another one.',
      );
    }
    return ok('master_key', 'The master key opens what is sealed. Keep a copy of it apart from backups.');
  } catch (error) {
    return fail('master_key', messageOf(error), `Check ${given === null ? path : 'RECADO_MASTER_KEY'}.`);
  }
}

function leftovers(config: Config): readonly Finding[] {
  const folder = config.backupDir ?? join(config.dataDir, 'backups');
  const found = unfinishedIn(folder).map((file) => basename(file));
  return found.length === 0
    ? []
    : [
        warn(
          'backups',
          `${folder} holds ${found.length} backups that are not complete: ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}.`,
          config.backupDir === null
            ? 'One may be being made now. Others go at the next start, or with the next backup to their name.'
            : 'Remove what begins with these names, unless a backup is being made now.',
        ),
      ];
}

function isInUse(dataDir: string): boolean {
  try {
    lockFolder(dataDir)();
    return false;
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    return true;
  }
}

const lock = (inUse: boolean): Finding =>
  ok(
    'lock',
    inUse ? 'A server has the data folder open, and only one can.' : 'No server has the data folder open.',
  );

/** Only while no server has the folder open: a running one writes the log. */
function redoLog(dataDir: string): Finding {
  try {
    const waiting = waitingInRedoLog(join(dataDir, 'recado.db'));
    return ok(
      'redo_log',
      waiting === 0
        ? 'No write waits in recado.db-redo.'
        : `The server did not stop in order: the next start applies ${waiting} writes of recado.db-redo to recado.db.`,
    );
  } catch (error) {
    return fail('redo_log', messageOf(error), `Keep the folder as it is. ${restoreInstead(dataDir)}`);
  }
}

function logSize(dataDir: string): Finding {
  const bytes = statSync(join(dataDir, 'recado.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  const said = `The write-ahead log is ${(bytes / 1024 ** 2).toFixed(1)} MiB.`;
  return bytes > LARGE_LOG
    ? warn(
        'wal',
        said,
        'End whatever else has recado.db open (a sqlite3 shell, a copy tool); the server cuts the log then.',
      )
    : ok('wal', said);
}
