/** Creates a data folder from a backup, without a running server. */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, messageOf } from '../../ports/thrown.js';
import type { NewRecord } from '../../ports/event-store.js';
import { shardedPath } from '../blobs/content.js';
import { freeBytesNow, syncFolderOf } from './disk.js';
import { Database } from './driver.js';
import { inspectFile, sha256Of, type FileFacts } from './inspect.js';
import { lockFolder } from './lock.js';
import { checksumOf, headOf, prepareInsert } from './records.js';
import { SCHEMA_VERSION } from './schema.js';

/** The message is a sentence for the operator. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

export interface RestoreSource {
  readonly file: string;
  /** Folder of blobs as `copyBlobs` writes it; null when the backup has none. */
  readonly blobsDir: string | null;
  /** Contents of the manifest; null when the backup has no manifest. */
  readonly expected: {
    readonly sha256: string;
    readonly blobs: readonly (readonly [string, number])[];
  } | null;
}

/** The event that records the restore, appended at the end of the history. */
export interface RestoreMark {
  readonly stream: string;
  readonly record: NewRecord;
}

/** Files that may already exist: the key that opens the backup. */
const ALLOWED = new Set(['master.key']);
const PARTIAL = 'recado.db.restoring';

/** @throws RestoreRefused when the backup is not intact */
export function checkBackup({ file, blobsDir, expected }: RestoreSource): FileFacts {
  let facts: FileFacts;
  try {
    // The cheaper check first. It also distinguishes a truncated copy from a damaged one.
    if (expected !== null && sha256Of(file) !== expected.sha256) {
      throw new RestoreRefused(
        `${file} is not the file that its manifest describes: its SHA-256 is another one. It was cut short or changed since; take another backup.`,
      );
    }
    facts = inspectFile(file);
  } catch (error) {
    if (error instanceof RestoreRefused) throw error;
    throw new RestoreRefused(messageOf(error), { cause: error });
  }
  if (facts.schemaVersion > SCHEMA_VERSION) {
    throw new RestoreRefused(
      `${file} was written by a newer release (schema ${facts.schemaVersion}, this one knows ${SCHEMA_VERSION}). Restore it with that release.`,
    );
  }
  for (const [hash, size] of expected?.blobs ?? []) {
    const path = blobsDir === null ? undefined : join(blobsDir, ...shardedPath(hash)!);
    const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    if (found?.size === size && sha256Of(path!) === hash) continue;
    throw new RestoreRefused(
      `The backup lacks ${path ?? `the folder of the file ${hash}`}, or it is damaged. Copy the folder ${blobsDir ?? ''} whole, or take another backup.`,
    );
  }
  return facts;
}

/**
 * Fills an empty folder from a backup that `checkBackup` has accepted. The database gets its name last. If the restore
 * is killed, no server starts on a partial folder, or on a history without the restore event. Repeating it needs an
 * empty folder again.
 *
 * @throws RestoreRefused when the folder is in use or not empty, or the disk has no room; nothing is left then
 */
export function restoreInto(
  dataDir: string,
  source: RestoreSource,
  facts: FileFacts,
  mark: RestoreMark,
): void {
  refuseUsed(dataDir);
  const blobs = source.expected?.blobs ?? [];
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  refuseFull(dataDir, facts.bytes + blobs.reduce((sum, [, size]) => sum + size, 0));
  const partial = join(dataDir, PARTIAL);
  const target = join(dataDir, 'recado.db');
  const unlock = lockFolder(dataDir);
  try {
    // The database first: its partial file keeps servers from starting. A folder with images only would be taken for a
    // new one.
    copySynced(source.file, partial);
    for (const [hash] of blobs) copyBlob(source.blobsDir!, join(dataDir, 'blobs'), hash);
    const copied = sha256Of(partial);
    if (copied !== facts.sha256) {
      throw new RestoreRefused(`What was written to ${dataDir} is not what was read. Check that disk.`);
    }
    appendTo(partial, mark);
    renameSync(partial, target);
    syncFolderOf(target);
    openable(target);
  } catch (error) {
    for (const name of [
      PARTIAL,
      `${PARTIAL}-journal`,
      'recado.db',
      'recado.db-wal',
      'recado.db-shm',
      'blobs',
    ]) {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    }
    if (error instanceof RestoreRefused) throw error;
    throw new RestoreRefused(
      `Restoring into ${dataDir} failed: ${messageOf(error)}. Nothing was left there.`,
      {
        cause: error,
      },
    );
  } finally {
    unlock();
    rmSync(join(dataDir, 'lock.db'), { force: true });
    if (made !== undefined && readdirSync(dataDir).length === 0) rmSync(made, { recursive: true });
  }
}

function refuseUsed(dataDir: string): void {
  const found = entriesOf(dataDir).filter((name) => !ALLOWED.has(name));
  if (found.length === 0) return;
  if (found.includes('lock.db')) lockFolder(dataDir)();
  throw new RestoreRefused(
    `The data folder ${dataDir} is not empty (it holds ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}). A restore never overwrites: name a new folder, or move this one away.`,
  );
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return [];
    throw new RestoreRefused(
      code === 'ENOTDIR'
        ? `${folder} is a file, not a folder.`
        : `${folder} can not be read (${code ?? String(error)}).`,
    );
  }
}

function refuseFull(folder: string, needed: number): void {
  const free = freeBytesNow(folder);
  if (free >= needed) return;
  throw new RestoreRefused(
    `The disk of ${folder} has ${Math.floor(free / 1024 / 1024)} MiB left; the backup needs ${Math.ceil(needed / 1024 / 1024)} MiB.`,
  );
}

function copyBlob(from: string, to: string, hash: string): void {
  const parts = shardedPath(hash)!;
  const target = join(to, ...parts);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  copySynced(join(from, ...parts), target);
}

function copySynced(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  chmodSync(to, 0o600);
  const file = openSync(to, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The next start passes this event at once: no read model handles it. The file may be of an earlier schema, which only
 * that start brings up.
 */
function appendTo(path: string, { stream, record }: RestoreMark): void {
  const db = new Database(path);
  try {
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    const length = db.prepare<unknown[], number>('SELECT count(*) FROM events WHERE stream = ?').pluck();
    const revision = length.get(stream) ?? 0;
    // Every schema knows metadata as JSON.
    const meta = JSON.stringify(record.meta);
    const data = JSON.stringify(record.data);
    const { eventId, type } = record;
    const { company } = record.meta;
    const checksum = checksumOf(stream, revision, eventId, type, company, meta, data);
    prepareInsert(db).run(headOf(db) + 1, stream, revision, eventId, type, company, checksum, meta, data);
  } finally {
    db.close();
  }
}

/** Opens the copy as the next start will: a copy that can't be read back is not a restore. */
function openable(path: string): void {
  const db = new Database(path, { readonly: true });
  try {
    const problem = db.pragma('quick_check(1)', { simple: true });
    if (problem !== 'ok') throw new Error(String(problem));
  } finally {
    db.close();
  }
}
