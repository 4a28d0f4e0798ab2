/** Base of every client for addresses that a third party chose: URL rules, and connections to vetted addresses only. */
import { createCache } from '../../ports/cache.js';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../ports/clock.js';
import { systemClock } from '../clock/system.js';
import {
  classifyAddress,
  inspectUrl,
  isAddressAllowed,
  PUBLIC_PORTS,
  type AllowPrivate,
  type Inspection,
  type Target,
} from './address-policy.js';
import { inTime } from './failures.js';
import { BlockedAddress, createGuardedAgent } from './guarded-agent.js';
import { createHostResolver, type ResolveHost } from './host-resolver.js';

export interface GuardedClientOptions {
  /** Whether loopback, or loopback and private networks, may be dialled. Link-local and reserved space never may. */
  readonly allowPrivate: AllowPrivate;
  /** Ports open to public addresses. Default 80, 443, 8080, 8443; local addresses, when allowed, may use any. */
  readonly allowedPorts?: readonly number[];
  /** Most connections per origin; further requests wait, within their deadline. */
  readonly connections?: number;
  /** Default 5000; always within the attempt's own deadline. */
  readonly connectTimeoutMs?: number;
  /** Budget for name resolution. Default 3000. */
  readonly dnsTimeoutMs?: number;
  /** Replaces name resolution. */
  readonly resolve?: ResolveHost;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

export interface GuardedClient {
  readonly dispatcher: Dispatcher;
  inspect(url: string): Inspection;
  /**
   * Must be called before a request is sent: a port that is not open to the public may only lead to local addresses.
   * @throws BlockedAddress, HostNotResolved, DeadlinePassed
   */
  vet(target: Target, timeoutMs: number): Promise<void>;
  /** Address that the newest connection of an origin has reached. */
  addressOf(origin: string): string | null;
  close(): Promise<void>;
}

const REMEMBERED_ORIGINS = 10_000;

export function createGuardedClient(
  options: GuardedClientOptions & { readonly connections: number },
): GuardedClient {
  const { allowPrivate, clock = systemClock } = options;
  const policy = { allowPrivate, publicPorts: new Set(options.allowedPorts ?? PUBLIC_PORTS) };
  const resolve =
    options.resolve ??
    createHostResolver({ budgetMs: options.dnsTimeoutMs ?? 3000, hostsFile: allowPrivate !== 'none', clock });
  const addresses = createCache<string, string>(REMEMBERED_ORIGINS);
  const agent = createGuardedAgent({
    allowPrivate,
    resolve,
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    connections: options.connections,
    onConnected: (origin, address) => addresses.set(origin, address),
  });

  async function vetPort(target: Target): Promise<void> {
    const found = await resolve(target.hostname);
    const fits = (address: string) =>
      isAddressAllowed(address, allowPrivate) && classifyAddress(address) !== 'public';
    if (!found.every(fits)) throw new BlockedAddress();
  }

  return {
    dispatcher: agent,
    inspect: (url) => inspectUrl(url, policy),
    async vet(target, timeoutMs) {
      if (target.localOnly) await inTime(clock, vetPort(target), timeoutMs);
    },
    addressOf: (origin) => addresses.get(origin) ?? null,
    close: () => agent.destroy(),
  };
}
