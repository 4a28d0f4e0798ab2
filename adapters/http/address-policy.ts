/**
 * Rules for addresses and URLs that may be dialled on behalf of a third party. Everything that is not plainly public is
 * refused. A deployment may allow loopback and private networks, but never link-local (cloud metadata), multicast or
 * reserved space.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AllowPrivate = 'none' | 'loopback' | 'all';

/** Ports open to public addresses. Only those of web servers, so that the sender can't be used as a port scanner. */
export const PUBLIC_PORTS: readonly number[] = [80, 443, 8080, 8443];

export type AddressClass = 'public' | 'loopback' | 'private' | 'forbidden';

/**
 * IPv6 counts as public only inside 2000::/3. `ipaddr.js` calls IPv4-compatible (`::7f00:1`) and ISATAP-like
 * (`::5efe:7f00:1`) spellings plain unicast. Every mapped or translated form of an IPv4 address is outside that range.
 */
export function classifyAddress(address: string): AddressClass {
  if (isIP(address) === 0) return 'forbidden';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  if (range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat') return 'private';
  if (range !== 'unicast') return 'forbidden';
  if (parsed.kind() === 'ipv4') return 'public';
  return (parsed.toByteArray()[0] ?? 0) >> 5 === 1 ? 'public' : 'forbidden';
}

export function isAddressAllowed(address: string, allowPrivate: AllowPrivate): boolean {
  const kind = classifyAddress(address);
  if (kind === 'public') return true;
  if (kind === 'loopback') return allowPrivate !== 'none';
  return kind === 'private' && allowPrivate === 'all';
}

/** The parts of a URL that are known before its name is resolved. */
export interface Target {
  readonly origin: string;
  /** Path with query, as sent on the request line. */
  readonly path: string;
  /** Without brackets and without a final dot. */
  readonly hostname: string;
  readonly port: number;
  /** The port is not open to public addresses, so the name must resolve to a local address. */
  readonly localOnly: boolean;
}

export interface UrlPolicy {
  readonly allowPrivate: AllowPrivate;
  readonly publicPorts: ReadonlySet<number>;
}

export const isLocalhost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost');

export type Inspection =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly failure: 'invalid_url' | 'blocked_address'; readonly reason: string };

const REFUSED_ADDRESS = 'the address is not allowed';

/**
 * The WHATWG parser has already converted decimal, octal and hexadecimal IPv4 spellings to dotted form, so a literal
 * can't hide from `isIP`. The reason reveals only what the caller could know without our network.
 */
export function inspectUrl(text: string, policy: UrlPolicy): Inspection {
  const invalid = (reason: string): Inspection => ({ ok: false, failure: 'invalid_url', reason });
  const blocked: Inspection = { ok: false, failure: 'blocked_address', reason: REFUSED_ADDRESS };
  if (!URL.canParse(text)) return invalid('not an absolute URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return invalid('only http and https are allowed');
  if (url.username !== '' || url.password !== '') return invalid('credentials in the URL are not allowed');
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (hostname === '') return invalid('the URL has no host');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const kind = isIP(hostname) === 0 ? null : classifyAddress(hostname);
  if (kind !== null && !isAddressAllowed(hostname, policy.allowPrivate)) return blocked;
  const local = kind === 'loopback' || kind === 'private' || isLocalhost(hostname);
  if (isLocalhost(hostname) && policy.allowPrivate === 'none') return blocked;
  const publicPort = policy.publicPorts.has(port);
  const mayBeLocal = local || (kind === null && policy.allowPrivate !== 'none');
  if (!publicPort && !mayBeLocal) return invalid('the port is not allowed');
  const target = {
    origin: url.origin,
    path: url.pathname + url.search,
    hostname,
    port,
    localOnly: !publicPort,
  };
  return { ok: true, target };
}

/** One part of a host name. Underscores are no part of the standard, and resolve all the same. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LONGEST_NAME = 253;

/**
 * Why an address that somebody configures is surely a mistake, though `inspectUrl` could dial it; null when it is not.
 * The URL parser repairs what it can, so such an address would look accepted and never receive anything, or be called
 * at another place than it reads. Asked only when an address is set: what is stored is called as before.
 */
export function mistakeInUrl(text: string, { allowPrivate }: Pick<UrlPolicy, 'allowPrivate'>): string | null {
  if (!/^https?:\/\/[^/]/i.test(text) || /[\s\\]/.test(text))
    return 'it must be written as https://host/path, without spaces and backslashes';
  if (text.includes('#')) return 'a fragment (# and what follows) is never sent to a server, so leave it out';
  const { hostname: written, protocol, port } = new URL(text);
  if (port === '0') return 'port 0 can not be called';
  const hostname = written.replace(/\.$/, '');
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const labels = hostname.split('.');
  const isName = hostname.length <= LONGEST_NAME && labels.every((label) => LABEL.test(label));
  if (!isAddress && !isName) return 'its host is no name that can be looked up';
  const isShort = !isAddress && labels.length === 1;
  if (isShort && allowPrivate === 'none')
    return 'a host without a dot is known only inside a network (WEBHOOK_ALLOW_PRIVATE of the server allows such)';
  if (protocol === 'https:' || allowPrivate === 'all') return null;
  if (allowPrivate === 'none') return 'plain http is not allowed';
  const isHere =
    isShort || isLocalhost(hostname) || classifyAddress(hostname.replace(/^\[|\]$/g, '')) === 'loopback';
  return isHere ? null : 'plain http is allowed only to this machine';
}
