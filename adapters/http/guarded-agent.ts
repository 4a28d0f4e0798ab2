/** An undici Agent that connects only to vetted addresses. */
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isAddressAllowed, type AllowPrivate } from './address-policy.js';
import { HostNotResolved, type ResolveHost } from './host-resolver.js';
import { errorOf } from '../../ports/thrown.js';

/** One message for every refused address: different messages would let a caller map our network. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  constructor() {
    super('the address is not allowed');
  }
}

export interface GuardedAgentOptions {
  readonly allowPrivate: AllowPrivate;
  readonly resolve: ResolveHost;
  readonly connectTimeoutMs: number;
  /** Most connections per origin. */
  readonly connections: number;
  /** Called with the address that a new connection of an origin has reached. */
  readonly onConnected: (origin: string, address: string) => void;
}

export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  // Rejects when any address is not allowed, and returns exactly the set that was checked. So a second answer of the
  // name server (DNS rebinding) is never used.
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    options.resolve(hostname).then(
      (addresses) => {
        if (addresses.some((address) => !isAddressAllowed(address, options.allowPrivate))) {
          return callback(new BlockedAddress(), '', 0);
        }
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const first = found[0];
        if (first === undefined)
          return callback(new HostNotResolved('the host name could not be resolved'), '', 0);
        if (lookupOptions.all === true) return callback(null, found);
        return callback(null, first.address, first.family);
      },
      (error: unknown) => callback(errorOf(error), '', 0),
    );
  };
  const dial = buildConnector({ timeout: options.connectTimeoutMs, lookup });
  return new Agent({
    connections: options.connections,
    pipelining: 1,
    // The sender keeps one deadline over everything; undici's body timeout restarts with each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (request, callback) => {
      // `lookup` is not called for IP literals.
      if (isIP(request.hostname) !== 0 && !isAddressAllowed(request.hostname, options.allowPrivate)) {
        callback(new BlockedAddress(), null);
        return;
      }
      dial(request, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        options.onConnected(
          `${request.protocol}//${request.host ?? request.hostname}`,
          socket.remoteAddress ?? '',
        );
        return callback(null, socket);
      });
    },
  });
}
