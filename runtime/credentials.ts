/** `credentials.json`: the data that a newcomer, a script or the CLI needs to use this installation. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../ports/thrown.js';

export type Credentials = Readonly<Record<string, string>>;

const pathIn = (dataDir: string): string => join(dataDir, 'credentials.json');

export function readCredentials(dataDir: string): Credentials | null {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as Credentials;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Readable by its owner only. Replaced atomically, so that nobody reads a partial file. */
export function writeCredentials(dataDir: string, credentials: Credentials): string {
  const path = pathIn(dataDir);
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(credentials, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  return path;
}
