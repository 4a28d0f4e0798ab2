/** What a backup consists of on disk, and what its manifest says. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../ports/thrown.js';
import { partialOf } from '../../adapters/embedded/backup.js';
import type { FileFacts } from '../../adapters/embedded/inspect.js';

/**
 * Three names beside each other: the database, its manifest, and the folder of images and media. The database gets its
 * name last: where it is, the backup is complete.
 */
export const manifestOf = (file: string): string => `${file}.json`;
export const blobsOf = (file: string): string => `${file}.blobs`;
/** Where blobs are gathered until the backup is complete. */
export const gatheringBlobs = (file: string): string => `${file}.blobs.partial`;

export interface Manifest {
  readonly format: 1;
  readonly recado_version: string;
  /** ISO 8601: when the copy was complete. */
  readonly created_at: string;
  readonly database: FileFacts;
  /** Null where images and media are in a bucket. Hash and bytes of each. */
  readonly blobs: {
    readonly files: readonly (readonly [string, number])[];
    readonly damaged: readonly string[];
  } | null;
}

export function writeManifest(file: string, manifest: Manifest): void {
  const out = openSync(manifestOf(file), 'w', 0o600);
  try {
    writeSync(out, `${JSON.stringify(manifest)}\n`);
    fsyncSync(out);
  } finally {
    closeSync(out);
  }
}

/** Undefined when there is none. @throws Error with a sentence when it can't be understood */
export function readManifest(file: string): Manifest | undefined {
  let text: string;
  try {
    text = readFileSync(manifestOf(file), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  let found: Partial<Manifest>;
  try {
    found = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw new Error(`${manifestOf(file)} is not JSON.`);
  }
  if (found.format === 1 && typeof found.database?.sha256 === 'string') return found as Manifest;
  throw new Error(`${manifestOf(file)} is no manifest that this release can read.`);
}

export interface FoundBackup {
  readonly file: string;
  readonly manifest: Manifest;
}

/** Complete ones, newest first. Files that are none of ours are passed over. */
export function backupsIn(folder: string): readonly FoundBackup[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const there = new Set(names);
  return names
    .filter((name) => there.has(manifestOf(name)))
    .flatMap((name): readonly FoundBackup[] => {
      const file = join(folder, name);
      try {
        const manifest = readManifest(file);
        return manifest ? [{ file, manifest }] : [];
      } catch {
        return [];
      }
    })
    .sort((a, b) => (a.manifest.created_at < b.manifest.created_at ? 1 : -1));
}

/** The database first: without it the rest is no backup any more. */
export function removeBackup(file: string): void {
  for (const path of [file, manifestOf(file), blobsOf(file), gatheringBlobs(file)]) {
    rmSync(path, { recursive: true, force: true });
  }
}

const PARTIAL = partialOf('');

/** Whether this is a copy that did not get its name: nobody has looked it over, and half of it may be there. */
export const isPartial = (file: string): boolean => file.endsWith(PARTIAL);

/**
 * Names under which a backup was begun that did not come to its end: it is being made, or its server was killed. The copy
 * goes last, so where there is none, what lies beside belongs to a backup whose database was taken elsewhere.
 */
export function unfinishedIn(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => isPartial(name) && !name.endsWith(gatheringBlobs('')))
    .map((name) => join(folder, name.slice(0, -PARTIAL.length)))
    .filter(isUnfinished)
    .sort();
}

export const isUnfinished = (file: string): boolean => existsSync(partialOf(file)) && !existsSync(file);

/** All of one, while no backup is being made. */
export function removeUnfinished(file: string): void {
  removeBackup(file);
  const copy = partialOf(file);
  for (const path of [`${copy}-journal`, `${copy}-wal`, `${copy}-shm`, copy]) rmSync(path, { force: true });
}

/** Removes all but the newest `keep` of one history; answers the files that went. */
export function keepNewest(file: string, origin: string | null, keep: number): readonly string[] {
  const own = backupsIn(dirname(file)).filter(({ manifest }) => manifest.database.origin === origin);
  const old = own.slice(keep).map((backup) => backup.file);
  for (const each of old) removeBackup(each);
  return old;
}
