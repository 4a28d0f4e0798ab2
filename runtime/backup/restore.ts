/**
 * The program behind `recado restore`: fills an empty data folder from a backup, with no server running. Arguments:
 * backup, data folder (or `--check`: only verifies the backup), and optionally the file of the master key. `--mark`
 * alone instead: servers were restored with their own tools. `--nothing-ran-since` may stand anywhere. Writes JSON to
 * stdout; the reason of a refusal goes to stderr as a sentence.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf } from '../../ports/thrown.js';
import { newId, systemClock } from '../../adapters/clock/system.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { loadMasterKey, parseMasterKey } from '../../adapters/crypto/master-key.js';
import { DataFolderInUse } from '../../adapters/embedded/lock.js';
import { peekDocument } from '../../adapters/embedded/peek.js';
import {
  checkBackup,
  restoreInto,
  RestoreRefused,
  type RestoreSource,
} from '../../adapters/embedded/restore.js';
import { RESTORE_STREAM, restoredRecord } from '../../application/restore/horizon.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { deployment, type MasterKeyDoc } from '../../read-models/deployment.js';
import { blobsOf, isPartial, readManifest, type Manifest } from './files.js';
import { ConfigError } from '../config.js';
import { markServers } from './mark-restored.js';
import { ID, opens } from '../master-key-check.js';

/** Exit codes of the command line: see docs/cli.md. */
const FAILED = 1;
const USAGE = 2;
const REFUSED = 3;

class Usage extends Error {}

const NOTHING_RAN = '--nothing-ran-since';

async function restore(args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const nothingRanSince = args.includes(NOTHING_RAN);
  const [given, to, keyFile] = args.filter((arg) => arg !== NOTHING_RAN);
  if (given === '--mark') return markServers(process.env, nothingRanSince);
  if (!given || !to) throw new Usage('Name the backup and the data folder.');
  const file = resolve(given);
  refuseNoBackup(file);
  if (isPartial(file)) {
    throw new RestoreRefused(
      `${file} is a copy that was never completed: its server was stopped in the middle of the backup. Take another backup.`,
    );
  }
  const manifest = manifestFor(file);
  if (manifest === undefined) refuseDatabaseInUse(file);
  const source: RestoreSource = {
    file,
    blobsDir: existsSync(blobsOf(file)) ? blobsOf(file) : null,
    expected: manifest ? { sha256: manifest.database.sha256, blobs: manifest.blobs?.files ?? [] } : null,
  };
  const dataDir = to === '--check' ? null : resolve(to);
  const key = masterKey(keyFile, dataDir);
  const facts = checkBackup(source);
  const matches = key && keyMatches(file, key.bytes);
  if (key && matches === false) {
    throw new RestoreRefused(
      `The master key of ${key.from} does not open this backup: it was begun with another key. Give the key of the deployment that the backup is of.`,
    );
  }
  if (dataDir !== null) {
    const record = restoredRecord(
      { source: 'backup', nothing_ran_since: nothingRanSince },
      { now: systemClock.now(), newId },
    );
    restoreInto(dataDir, source, facts, { stream: RESTORE_STREAM, record });
    if (keyFile !== undefined && !existsSync(join(dataDir, 'master.key'))) {
      await writeFile(join(dataDir, 'master.key'), readFileSync(keyFile), { mode: 0o600, flag: 'wx' });
    }
  }
  return {
    file,
    data_dir: dataDir,
    created_at: manifest?.created_at ?? null,
    recado_version: manifest?.recado_version ?? null,
    sha256: facts.sha256,
    bytes: facts.bytes,
    events: facts.head,
    counts: facts.counts,
    blobs: source.expected?.blobs.length ?? 0,
    ...(dataDir === null ? {} : { nothing_ran_since: nothingRanSince }),
    master_key: key ? (matches ? 'opens it' : 'could not be checked') : 'not given',
    warnings: warnings({ manifest, keyGiven: key !== null, dataDir }),
  };
}

/** What is surely no backup, said by what it is. @throws RestoreRefused */
function refuseNoBackup(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new RestoreRefused(`There is no file ${file}.`);
  if (!found.isFile()) {
    throw new RestoreRefused(
      `${file} is ${found.isDirectory() ? 'a folder' : 'no file'}. Name the backup itself: a file such as recado-20261121T030000Z.db.`,
    );
  }
}

/** Its newest events are in another file, and a history that was copied without them would look whole. */
function refuseDatabaseInUse(file: string): void {
  const log = [`${file}-wal`, `${file}-redo`].find(
    (name) => (statSync(name, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (log === undefined) return;
  throw new RestoreRefused(
    `${file} is no backup but the database of a data folder: its newest events are in ${log}. To go on with it, stop its server, copy the whole folder, and start a server with DATA_DIR set to the copy. To have a backup of it, run "recado backup" while its server runs.`,
  );
}

function manifestFor(file: string): Manifest | undefined {
  try {
    return readManifest(file);
  } catch (error) {
    throw new RestoreRefused(messageOf(error), { cause: error });
  }
}

/** The key in the given file, else the key that the next start would use. */
function masterKey(
  keyFile: string | undefined,
  dataDir: string | null,
): { readonly bytes: Uint8Array; readonly from: string } | null {
  if (keyFile !== undefined) {
    let text: string;
    try {
      text = readFileSync(keyFile, 'utf8');
    } catch (error) {
      throw new Usage(`The master key ${keyFile} can't be read: ${messageOf(error)}.`);
    }
    const bytes = parseMasterKey(text.trim());
    if (bytes) return { bytes, from: keyFile };
    throw new Usage(`${keyFile} does not hold a 32-byte key in base64 or hexadecimal.`);
  }
  const given = process.env['RECADO_MASTER_KEY'];
  if (given !== undefined && given.trim() !== '') {
    return { bytes: loadMasterKey({ given, dataDir: '.' }).key, from: 'RECADO_MASTER_KEY' };
  }
  const there = dataDir === null ? null : join(dataDir, 'master.key');
  if (dataDir === null || there === null || !existsSync(there)) return null;
  return { bytes: loadMasterKey({ dataDir }).key, from: there };
}

/** Null when the backup's release did not store the check of the key. */
function keyMatches(file: string, key: Uint8Array): boolean | null {
  const check = peekDocument<MasterKeyDoc>(file, deployment, ID);
  return check ? opens(check, createSecretBox(key)) : null;
}

function warnings(of: {
  readonly manifest: Manifest | undefined;
  readonly keyGiven: boolean;
  readonly dataDir: string | null;
}): readonly string[] {
  const { manifest, keyGiven, dataDir } = of;
  const said: string[] = [];
  if (!manifest) {
    said.push(
      'There is no manifest beside the backup: only the file itself was checked, and no images and media were restored.',
    );
  } else if (manifest.blobs === null) {
    said.push('Images and media are not in the backup: they are in the bucket. Set the same S3_* variables.');
  } else if (manifest.blobs.damaged.length > 0) {
    said.push(
      `${manifest.blobs.damaged.length} images or media files were damaged already when the backup was made.`,
    );
  }
  if (!keyGiven) {
    const place = dataDir === null ? 'master.key of the data folder' : join(dataDir, 'master.key');
    said.push(
      `The master key is not in a backup, and the server does not start without the one that this deployment was begun with: put it into ${place} (mode 600) or set RECADO_MASTER_KEY.`,
    );
  }
  return said;
}

try {
  process.stdout.write(`${JSON.stringify(await restore(process.argv.slice(2)))}\n`);
} catch (error) {
  const expected = [Usage, RestoreRefused, DataFolderInUse, ConfigError, StoreUnavailable].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(
    `${expected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)}\n`,
  );
  process.exitCode = error instanceof Usage ? USAGE : expected ? REFUSED : FAILED;
}
