/** The files of a backup, and the content of its manifest. */
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
 * name last: once it exists, the backup is complete.
 */
export const manifestOf = (file: string): string => `${file}.json`;
export const blobsOf = (file: string): string => `${file}.blobs`;
/** Where blobs are collected until the backup is complete. */
export const gatheringBlobs = (file: string): string => `${file}.blobs.partial`;

export interface Manifest {
  readonly format: 1;
  readonly recado_version: string;
  /** ISO 8601: when the copy was complete. */
  readonly created_at: string;
  readonly database: FileFacts;
  /** Hash and size in bytes of each file; null where images and media are in a bucket. */
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

/**
 * Undefined when the manifest does not exist.
 * @throws Error with a sentence when it can't be parsed
 */
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

/** Complete backups, newest first. Other files are ignored. */
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

/** Removes the database first: without it, the other files are no longer a backup. */
export function removeBackup(file: string): void {
  for (const path of [file, manifestOf(file), blobsOf(file), gatheringBlobs(file)]) {
    rmSync(path, { recursive: true, force: true });
  }
}

const PARTIAL = partialOf('');

/** Whether this is an unfinished copy: not verified, and possibly incomplete. */
export const isPartial = (file: string): boolean => file.endsWith(PARTIAL);

/**
 * Backups that were begun and not completed: one is in progress, or its server was killed. The partial copy is removed
 * last. Without a partial copy, the other files belong to a backup whose database was moved elsewhere.
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

/** Removes all files of an unfinished backup; only while no backup is in progress. */
export function removeUnfinished(file: string): void {
  removeBackup(file);
  const copy = partialOf(file);
  for (const path of [`${copy}-journal`, `${copy}-wal`, `${copy}-shm`, copy]) rmSync(path, { force: true });
}

/** Removes all but the newest `keep` backups of one history; returns the removed files. */
export function keepNewest(file: string, origin: string | null, keep: number): readonly string[] {
  const own = backupsIn(dirname(file)).filter(({ manifest }) => manifest.database.origin === origin);
  const old = own.slice(keep).map((backup) => backup.file);
  for (const each of old) removeBackup(each);
  return old;
}
