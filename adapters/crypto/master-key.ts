/** The key that all secrets are sealed under: given by the operator, or created on the first start. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../ports/thrown.js';

export interface MasterKey {
  readonly key: Uint8Array;
  /** Origin of the key, for the log. `created` means that the file was created just now. */
  readonly source: 'environment' | 'file' | 'created';
  /** Sentences an operator should read; empty when all is well. */
  readonly warnings: readonly string[];
}

const SIZE = 32;

/**
 * `given` (base64, base64url or hex of 32 bytes) has priority; else `<dataDir>/master.key`, created with mode 0600 when
 * it is absent.
 *
 * @throws when the value or the file is not a 32-byte key: guessing here would make every secret unreadable later
 */
export function loadMasterKey(options: {
  readonly given?: string | undefined;
  readonly dataDir: string;
}): MasterKey {
  if (options.given !== undefined && options.given.trim() !== '') {
    const key = parseMasterKey(options.given.trim());
    if (!key) throw new Error('the master key given must be 32 bytes in base64 or 64 hexadecimal digits');
    return { key, source: 'environment', warnings: [] };
  }
  const path = join(options.dataDir, 'master.key');
  const found = readExisting(path);
  if (found) return found;
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const key = randomBytes(SIZE);
  // Written to a temporary file first: after a crash, a partial file could be taken for a damaged key.
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, `${key.toString('base64')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // Unlike a rename, a link never replaces the key of a process that was faster.
    linkSync(temporary, path);
  } catch (error) {
    const theirs = codeOf(error) === 'EEXIST' ? readExisting(path) : undefined;
    if (theirs) return theirs;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(options.dataDir);
  return { key, source: 'created', warnings: [] };
}

function readExisting(path: string): MasterKey | undefined {
  let text: string;
  let mode: number;
  try {
    text = readFileSync(path, 'utf8').trim();
    mode = statSync(path).mode & 0o777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const key = parseMasterKey(text);
  if (!key) {
    throw new Error(
      `${path} does not hold a 32-byte key in base64 or hexadecimal. Restore it from a backup; ` +
        'without it the secrets and personal data sealed under it cannot be read.',
    );
  }
  const warnings =
    (mode & 0o077) === 0
      ? []
      : [`${path} can be read by other users (mode ${mode.toString(8)}); set it to 600.`];
  return { key, source: 'file', warnings };
}

/** 32 bytes in base64, base64url or hexadecimal; undefined for anything else. */
export function parseMasterKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === SIZE ? bytes : undefined;
}

/** A new name is durable only after its folder is synced. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
