/**
 * Resolves names without `getaddrinfo`, which runs on libuv's small thread pool, where a few stalling names delay all
 * others (Node.js docs, dns.lookup). Answers are cached for at most five minutes, failures for thirty seconds.
 */
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createCache } from '../../ports/cache.js';
import type { Clock } from '../../ports/clock.js';
import { systemClock } from '../clock/system.js';
import { isLocalhost } from './address-policy.js';

export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** The name has no address, or no name server answered in time. */
export class HostNotResolved extends Error {
  override readonly name = 'HostNotResolved';
}

export interface HostResolverOptions {
  /** Over all queries for one name. Default 3000. */
  readonly budgetMs?: number;
  /** Whether to consult the machine's hosts file first (name servers are asked directly and don't know it). */
  readonly hostsFile?: boolean;
  /** Name servers (`address:port`); default: those of the machine. */
  readonly servers?: readonly string[];
  /** Default: the machine's clock. */
  readonly clock?: Pick<Clock, 'after'>;
}

const MAX_TTL_MS = 300_000;
const NEGATIVE_TTL_MS = 30_000;
const CACHED_NAMES = 10_000;
const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

interface Answer {
  readonly addresses: readonly string[];
  readonly ttlMs: number;
}

export function createHostResolver(options: HostResolverOptions = {}): ResolveHost {
  const { clock = systemClock } = options;
  const budgetMs = options.budgetMs ?? 3000;
  const resolver = new Resolver({ timeout: Math.ceil(budgetMs / 2), tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const hosts = options.hostsFile === true ? readHostsFile() : new Map<string, readonly string[]>();
  const cache = createCache<string, readonly string[]>(CACHED_NAMES, MAX_TTL_MS);
  const running = new Map<string, Promise<readonly string[]>>();

  async function lookUp(hostname: string): Promise<readonly string[]> {
    const answer = await query(resolver, hostname, budgetMs, clock);
    cache.set(hostname, answer.addresses, { ttl: answer.ttlMs });
    return answer.addresses;
  }

  return async (given) => {
    const hostname = given.toLowerCase();
    if (isIP(hostname) !== 0) return [hostname];
    // RFC 6761: localhost names are never sent to a name server.
    if (isLocalhost(hostname)) return hosts.get(hostname) ?? ['127.0.0.1', '::1'];
    const fixed = hosts.get(hostname);
    if (fixed !== undefined) return fixed;
    let addresses = cache.get(hostname);
    if (addresses === undefined) {
      let pending = running.get(hostname);
      if (pending === undefined) {
        pending = lookUp(hostname).finally(() => running.delete(hostname));
        running.set(hostname, pending);
      }
      addresses = await pending;
    }
    if (addresses.length === 0) throw new HostNotResolved('the host name could not be resolved');
    return addresses;
  };
}

/** Queries both address families at once; a failed or late one does not affect the other. */
async function query(
  resolver: Resolver,
  hostname: string,
  budgetMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<Answer> {
  let cancel: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(budgetMs, () =>
      reject(new HostNotResolved('the name servers did not answer in time')),
    );
  });
  const families = await Promise.allSettled([
    Promise.race([resolver.resolve4(hostname, { ttl: true }), late]),
    Promise.race([resolver.resolve6(hostname, { ttl: true }), late]),
  ]);
  cancel?.();
  const records = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  if (records.length === 0) return { addresses: [], ttlMs: NEGATIVE_TTL_MS };
  const ttlMs = Math.min(MAX_TTL_MS, Math.max(1000, Math.min(...records.map((record) => record.ttl * 1000))));
  return { addresses: records.map((record) => record.address), ttlMs };
}

function readHostsFile(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  let text: string;
  try {
    text = readFileSync(HOSTS_FILE, 'utf8');
  } catch {
    return names;
  }
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const known = names.get(name);
      if (known === undefined) names.set(name, [address]);
      else known.push(address);
    }
  }
  return names;
}
