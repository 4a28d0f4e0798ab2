/** The server's address and token: from flags, then the environment, then `credentials.json` of the data folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../ports/thrown.js';
import { INTEGRATORS } from './advice.js';
import type { Door } from './client.js';
import { Failure, EXIT, unreadable, usage } from './failure.js';
import { writeWhole } from './files.js';
import { say, type Io } from './io.js';

export interface Credentials {
  /** `http://host:port/admin/v1`, without a final slash. */
  readonly url: string;
  readonly token: string;
  /** From the demo workspace, if one exists: the defaults of commands. */
  readonly company: string | undefined;
  readonly integration: string | undefined;
}

export interface CredentialOptions {
  readonly adminUrl?: string;
  readonly apiUrl?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
}

const fileOf = (io: Io, { dataDir }: CredentialOptions): string =>
  join(dataDir ?? io.env['RECADO_DATA_DIR'] ?? io.env['DATA_DIR'] ?? './data', 'credentials.json');

/** @throws Failure when there is no token, or a file can't be read */
export function findCredentials(io: Io, options: CredentialOptions): Credentials {
  const path = fileOf(io, options);
  const stored = readStored(path);
  const given = options.adminUrl ?? io.env['RECADO_ADMIN_URL'] ?? stored['admin_url'];
  const url = addressIn(given ?? 'http://127.0.0.1:8080/admin/v1', 'http://127.0.0.1:8080/admin/v1');
  const token =
    options.tokenFile === undefined
      ? (io.env['RECADO_ADMIN_TOKEN'] ?? stored['admin_token'])
      : readToken(options.tokenFile);
  if (token === undefined || token === '') {
    throw new Failure(
      EXIT.unauthorised,
      `There is no admin token: RECADO_ADMIN_TOKEN is not set and ${path} does not hold one.`,
      'Start the server from this folder, or name its data folder with --data-dir.',
    );
  }
  return {
    url,
    token,
    company: io.env['RECADO_COMPANY'] ?? stored['company_uuid'],
    integration: io.env['RECADO_INTEGRATION'] ?? stored['integration_uuid'],
  };
}

function addressIn(text: string, such: string): string {
  const url = text.replace(/\/+$/, '');
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw usage(`${url} is not an address.`, `Give one such as ${such}.`);
}

const API = 'http://127.0.0.1:8080/api/v1';

/**
 * The integrators' API and a key for it. The demo's key from `credentials.json` is used for the demo's address only, so
 * that it is not sent to another server. @throws Failure when there is no key
 */
export function findApiKey(io: Io, options: CredentialOptions): Door {
  const given = options.apiUrl ?? io.env['RECADO_URL'];
  const key = io.env['RECADO_API_KEY'];
  const stored = given === undefined || !key ? readStored(fileOf(io, options)) : {};
  const address = addressIn(given ?? stored['base_url'] ?? API, API);
  const url = address.endsWith('/api/v1') ? address : `${address}/api/v1`;
  const token = key || (url === stored['base_url'] ? stored['api_key'] : undefined);
  if (token) return { url, token, advice: INTEGRATORS };
  throw new Failure(
    EXIT.unauthorised,
    'There is no API key: RECADO_API_KEY is not set.',
    'Set it to a key of your integration, and RECADO_URL to the address of the server.',
  );
}

/**
 * Replaces the webhook secret in `credentials.json` when the file is about this integration; the server does the same at its
 * next start. Returns the name of the file, or null when it was left alone.
 */
export function storeWebhookSecret(
  io: Io,
  options: CredentialOptions,
  integration: string,
  secret: string,
): string | null {
  const path = fileOf(io, options);
  const stored = readStored(path);
  if (stored['webhook_secret'] === undefined || stored['integration_uuid'] !== integration.toLowerCase()) {
    return null;
  }
  try {
    writeWhole(path, { ...stored, webhook_secret: secret });
  } catch (error) {
    // The secret has been rotated and printed: only writing the copy failed.
    say(io, `${path} still holds the old secret: it can't be written (${messageOf(error)}).`);
    return null;
  }
  return path;
}

function readStored(path: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw unreadable(path, error);
  }
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    throw usage(`${path} is not JSON.`, 'Start the server once: it rewrites the file.');
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw unreadable(file, error);
  }
}
