/** S3_* settings from the environment. Pure; the messages are for the operator. */
import type { S3Options } from './s3.js';

/** The message is a sentence for the operator. */
export class S3SettingsError extends Error {
  override readonly name = 'S3SettingsError';
}

type Env = Readonly<Record<string, string | undefined>>;

const NAMES = [
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PREFIX',
  'S3_PATH_STYLE',
] as const;
type Name = (typeof NAMES)[number];

/**
 * Null when no S3_ variable is set: blobs stay in a folder.
 *
 * @throws S3SettingsError naming the variable and the values it accepts
 */
export function readS3Settings(env: Env): S3Options | null {
  const given = NAMES.filter((name) => text(env, name) !== null);
  if (given.length === 0) return null;
  const endpoint = address(env, 'S3_ENDPOINT');
  const needed: Name[] = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  // AWS addresses buckets by region; most other servers accept any region.
  if (endpoint === null) needed.push('S3_REGION');
  const missing = needed.filter((name) => text(env, name) === null);
  const [accessKeyId, secretAccessKey] = [text(env, 'S3_ACCESS_KEY_ID'), text(env, 'S3_SECRET_ACCESS_KEY')];
  if (missing.length > 0 || accessKeyId === null || secretAccessKey === null) {
    throw new S3SettingsError(
      `${given.join(', ')} ${given.length > 1 ? 'are' : 'is'} set, but ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing. Set ${missing.length > 1 ? 'them' : 'it'}, or unset all S3_ variables to keep blobs in DATA_DIR.`,
    );
  }
  const pathStyle = flag(env, 'S3_PATH_STYLE');
  const prefix = prefixOf(env);
  return {
    endpoint,
    region: matching(env, 'S3_REGION', /^[a-z0-9-]+$/, 'a region such as sa-east-1') ?? 'us-east-1',
    bucket: matching(
      env,
      'S3_BUCKET',
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'a bucket name: 3 to 63 of a-z, 0-9, dot and hyphen',
    )!,
    accessKeyId,
    secretAccessKey,
    ...(prefix !== null && { prefix }),
    ...(pathStyle !== null && { pathStyle }),
  };
}

function text(env: Env, name: Name): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

function matching(env: Env, name: Name, pattern: RegExp, takes: string): string | null {
  const value = text(env, name);
  if (value === null || pattern.test(value)) return value;
  throw new S3SettingsError(`${name} must be ${takes}; it is "${value}".`);
}

function prefixOf(env: Env): string | null {
  const value = text(env, 'S3_PREFIX')?.replace(/^\/+|\/+$/g, '');
  if (value === undefined || value === '') return null;
  // URLs are normalised before they are signed, so a dot segment would point somewhere else.
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(value) && !value.split('/').some((part) => /^\.+$/.test(part)))
    return value;
  throw new S3SettingsError(
    `S3_PREFIX must be a path of letters, digits, dots, hyphens and underscores; it is "${value}".`,
  );
}

function address(env: Env, name: Name): string | null {
  const value = text(env, name);
  if (value === null) return null;
  const parsed = URL.canParse(value) ? new URL(value) : null;
  // The message does not repeat the address: someone may have put a password into it.
  if (parsed && (parsed.username !== '' || parsed.password !== ''))
    throw new S3SettingsError(
      `${name} must not hold a user or a password. Use S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
    );
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === '')
    return value.replace(/\/+$/, '');
  throw new S3SettingsError(`${name} must be an http(s) address; it is "${value}".`);
}

function flag(env: Env, name: Name): boolean | null {
  const value = text(env, name)?.toLowerCase();
  if (value === undefined) return null;
  if (['on', 'true', '1', 'yes'].includes(value)) return true;
  if (['off', 'false', '0', 'no'].includes(value)) return false;
  throw new S3SettingsError(`${name} must be on or off; it is "${value}".`);
}
