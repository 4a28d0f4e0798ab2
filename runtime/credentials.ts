/** `credentials.json`: the data that a newcomer, a script or the CLI needs to use this installation. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../ports/thrown.js';
import { ConfigError } from './config.js';

export type Credentials = Readonly<Record<string, string>>;

const pathIn = (dataDir: string): string => join(dataDir, 'credentials.json');

/** @throws ConfigError when the file is there and can't be used: a start must not overwrite keys that may be in it */
export function readCredentials(dataDir: string): Credentials | null {
  const path = pathIn(dataDir);
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Credentials;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) {
      throw new ConfigError(`${path} can not be read (${messageOf(error)}). Check its owner and mode.`);
    }
  }
  throw new ConfigError(
    `${path} holds no JSON object. Correct it, or remove it: the next start writes it anew, but API keys of the demo are not shown again.`,
  );
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
