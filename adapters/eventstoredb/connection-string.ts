/**
 * Validates EVENTSTORE_URL for the client. The client prints the whole string, password included, on the console when
 * it finds an unknown option, and quotes it in its errors. So unknown options are removed and errors are worded here.
 */
import { accessSync, constants } from 'node:fs';
import { EventStoreDBClient } from '@eventstore/db-client';
import { codeOf, messageOf } from '../../ports/thrown.js';

export interface ConnectionString {
  /** For the client. Contains credentials. */
  readonly text: string;
  /** `host:port` of all nodes, for messages. */
  readonly hosts: string;
  /** Null when the URL names no user. */
  readonly user: string | null;
  readonly tls: boolean;
  /** Names of options that have no effect. */
  readonly ignored: readonly string[];
}

const SCHEME = /^(?:esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\//i;
const EXAMPLE =
  'esdb://host:2113?tls=false, esdb://user:password@a:2113,b:2113,c:2113 or, for one DNS name of all nodes, esdb+discover://user:password@cluster.example:2113';
/** Options that name a file. The client reads it at once, and does not name the file when it can't. */
const FILES = ['tlscafile', 'usercertfile', 'userkeyfile'];
/**
 * The client's options that a deployment may set, in lower case, because the client compares their names without case.
 */
const OPTIONS = [
  'usercertfile',
  'userkeyfile',
  'maxdiscoverattempts',
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'nodepreference',
  'tls',
  'tlscafile',
  'keepaliveinterval',
  'keepalivetimeout',
];
/** The client's default of 10 attempts, 100 ms apart, is shorter than the election of a new leader may take. */
const DISCOVER_ATTEMPTS = 100;

/** @throws Error with one sentence, without credentials, when the client can't use the URL */
export function parseConnectionString(url: string): ConnectionString {
  const trimmed = url.trim();
  const scheme = SCHEME.exec(trimmed);
  if (!scheme) throw malformed('it begins with another scheme');
  const [authority = '', ...query] = trimmed.slice(scheme[0].length).split(/[?&]/);
  const ignored: string[] = [];
  const kept = query.filter((part) => {
    const [name = '', value = ''] = part.split('=');
    // Without keepalive a connection that died silently would never be noticed.
    const noKeepalive = name.toLowerCase().startsWith('keepalive') && Number(value) < 0;
    if (OPTIONS.includes(name.toLowerCase()) && !noKeepalive) return true;
    if (name !== '') ignored.push(name);
    return false;
  });
  const has = (name: string): boolean => kept.some((part) => part.toLowerCase().startsWith(`${name}=`));
  if (!has('maxdiscoverattempts')) kept.push(`maxDiscoverAttempts=${DISCOVER_ATTEMPTS}`);
  if (!has('connectionname')) kept.push('connectionName=recado');
  const signedIn = authority.replace(/\/+$/, '');
  const at = signedIn.lastIndexOf('@');
  const hosts = signedIn.slice(at + 1);
  // With several addresses the client would use only the first one for discovery; without `+discover` it asks each of
  // them.
  const discover = hosts.includes(',') ? '' : (scheme[1]?.toLowerCase() ?? '');
  const text = `esdb${discover}://${signedIn}?${kept.join('&')}`;
  const tls = !kept.some((part) => part.toLowerCase() === 'tls=false');
  for (const option of kept) assertReadable(option, tls);
  assertUsable(text);
  return {
    text,
    hosts,
    user: at < 0 ? null : decodeURIComponent(signedIn.slice(0, signedIn.indexOf(':'))),
    tls,
    ignored,
  };
}

function assertReadable(option: string, tls: boolean): void {
  const [name = '', value = ''] = option.split('=');
  const isRead = FILES.includes(name.toLowerCase()) && (tls || name.toLowerCase() !== 'tlscafile');
  if (!isRead) return;
  try {
    accessSync(decodeURIComponent(value), constants.R_OK);
  } catch (error) {
    if (error instanceof URIError) throw malformed(`a % of ${name} is not encoded`);
    throw malformed(
      `the file that ${name} names can't be read: ${value} (${codeOf(error) ?? String(error)})`,
    );
  }
}

function assertUsable(text: string): void {
  try {
    // Makes no connection before the first call.
    EventStoreDBClient.connectionString(text);
  } catch (error) {
    // The message of the client's parse error quotes the string, but a separate field has what it expected.
    const expected = error instanceof Error && 'expected' in error ? error.expected : undefined;
    if (typeof expected === 'string') throw malformed(`expected ${expected}`);
    throw malformed(error instanceof URIError ? 'a % is not encoded' : messageOf(error));
  }
}

const malformed = (reason: string): Error =>
  new Error(`EVENTSTORE_URL is not a usable connection string: ${reason}. It looks like ${EXAMPLE}`);
