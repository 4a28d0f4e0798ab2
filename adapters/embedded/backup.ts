/**
 * A copy of the embedded store while it runs.
 *
 * The connection that writes also copies the pages, so its commits go into the copy as well. A connection of its own
 * would have to start again after every commit (sqlite.org/backup.html). `VACUUM INTO` would keep the write-ahead log
 * from restarting until the copy is done.
 */
import { closeSync, existsSync, fsync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { codeOf, messageOf } from '../../ports/thrown.js';
import type { Db } from './database.js';
import { freeBytesNow, syncFolderOf } from './disk.js';
import type { FileFacts } from './inspect.js';
import { sealAndInspect } from './inspect-process.js';

/** The backup file could not be made; nothing of it is left. The message is a sentence for the operator. */
export class BackupFailed extends Error {
  override readonly name = 'BackupFailed';
}

export interface BackupProgress {
  readonly pagesDone: number;
  readonly pagesTotal: number;
}

export interface BackupOptions {
  /** Absolute; must not exist. */
  readonly target: string;
  /** Number of the newest event, called at the moment the copy is complete. */
  readonly head: () => number;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** True while requests are being served: the copy then runs more slowly. */
  readonly busy?: () => boolean;
  readonly stopping?: () => boolean;
  /** Creates the files that must exist before the copy gets its name; when it fails, the backup fails. */
  readonly complete?: (facts: FileFacts) => Promise<void>;
}

/** Name of the copy until it is complete and verified. */
export const partialOf = (target: string): string => `${target}.partial`;

/** 4 KiB each. A step of 32 pages takes about a tenth of a millisecond, so no request waits long for one. */
const PAGES_AT_EASE = 256;
const PAGES_WHEN_BUSY = 32;
/** The disk is asked to write during the copy: a single sync at the end would delay every commit behind it. */
const SYNC_EVERY_PAGES = 4_096;
/** Space that must remain free on the disk: a full disk would stop the store itself. */
const SPARE_BYTES = 64 * 1024 * 1024;

/**
 * Copies, verifies the copy, and only then gives it its name.
 * @throws BackupFailed; after any failure, no part of the copy is left under either name
 */
export async function writeBackup(db: Db, options: BackupOptions): Promise<FileFacts> {
  const { target } = options;
  const partial = partialOf(target);
  refuseBeforehand(db, target);
  // Left by a process that was killed: only one copy is made at a time.
  remove(partial);
  // The copy holds sealed personal data and keys. A file created by SQLite would be readable by everybody.
  writeFileSync(partial, '', { mode: 0o600, flag: 'wx' });
  try {
    const head = await copy(db, partial, options);
    const facts = await sealAndInspect(partial);
    if (facts.head !== head) {
      throw new BackupFailed(`The copy ends at event ${facts.head}, the store at ${head}.`);
    }
    await options.complete?.(facts);
    if (existsSync(target)) throw taken(target);
    renameSync(partial, target);
    syncFolderOf(target);
    return facts;
  } catch (error) {
    if (error instanceof BackupFailed) throw error;
    throw new BackupFailed(`The copy to ${target} failed: ${explain(error)}`, { cause: error });
  } finally {
    remove(partial);
  }
}

async function copy(db: Db, partial: string, options: BackupOptions): Promise<number> {
  let synced = 0;
  let syncing = false;
  await db.backup(partial, {
    progress({ totalPages, remainingPages }) {
      if (options.stopping?.()) throw new BackupFailed('The server is stopping; the copy was given up.');
      const done = totalPages - remainingPages;
      options.onProgress?.({ pagesDone: done, pagesTotal: totalPages });
      if (!syncing && done - synced >= SYNC_EVERY_PAGES) {
        synced = done;
        syncing = true;
        syncBehind(partial, () => (syncing = false));
      }
      return options.busy?.() ? PAGES_WHEN_BUSY : PAGES_AT_EASE;
    },
  });
  // No commit can happen between the last page and this line: both run in the same event-loop tick.
  return options.head();
}

/** Only spreads the work: the end of the backup syncs anyway, and reports errors. */
function syncBehind(path: string, then: () => void): void {
  let file: number;
  try {
    file = openSync(path, 'r+');
  } catch {
    return then();
  }
  fsync(file, () => {
    closeSync(file);
    then();
  });
}

/** Checks what can be known before the first page is copied. @throws BackupFailed */
export function refuseBeforehand(db: Db, target: string): void {
  const folder = dirname(target);
  if (existsSync(target)) throw taken(target);
  let free: number;
  try {
    free = freeBytesNow(folder);
    writeFileSync(partialOf(target), '', { flag: 'a', mode: 0o600 });
  } catch (error) {
    throw new BackupFailed(`Nothing can be written to the folder ${folder}: ${explain(error)}`, {
      cause: error,
    });
  }
  const size = (name: string): number => Number(db.pragma(name, { simple: true }));
  const needed = size('page_count') * size('page_size') + SPARE_BYTES;
  if (free < needed) {
    remove(partialOf(target));
    throw new BackupFailed(
      `The disk of ${folder} has ${megabytes(free)} left; the copy needs ${megabytes(needed)}. Free space there, or choose another disk.`,
    );
  }
}

const taken = (target: string): BackupFailed =>
  new BackupFailed(
    `${basename(target)} exists in ${dirname(target)}. A backup never overwrites: choose another name.`,
  );

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

function explain(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return 'it does not exist. Make it first.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'SQLITE_READONLY') {
    return 'this user may not write there.';
  }
  if (code === 'ENOSPC' || code === 'SQLITE_FULL')
    return 'the disk is full. Nothing of the copy was left on it.';
  return `${messageOf(error)}.`;
}

function remove(partial: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(partial + end, { force: true });
}
