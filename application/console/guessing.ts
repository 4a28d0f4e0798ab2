/**
 * Slows those who guess passwords: by account from one network, by account from anywhere, and by network. An account
 * that does not exist is slowed like one that does. A guesser in one network does not lock the person out elsewhere: what
 * is refused there counts nowhere else.
 */
import type { Pace } from '../../domain/policies/gcra.js';
import { createThrottle, networkOf } from '../throttle.js';
import { slowed } from './passwords.js';

export const ACCOUNT_FROM_NETWORK: Pace = { burst: 5, intervalMs: 30_000 };
export const ACCOUNT_FROM_ANYWHERE: Pace = { burst: 50, intervalMs: 15_000 };
/** Generous: an office has one address. */
export const NETWORK: Pace = { burst: 30, intervalMs: 5_000 };

export interface Guessing {
  /** @throws Refusal sign_in_slowed */
  attempt(accountId: string, address: string): void;
  /** The person has proved to be the right one. */
  succeeded(accountId: string, address: string): void;
}

export function createGuessing(now: () => number): Guessing {
  const fromNetwork = createThrottle(ACCOUNT_FROM_NETWORK);
  const fromAnywhere = createThrottle(ACCOUNT_FROM_ANYWHERE);
  const networks = createThrottle(NETWORK);
  return {
    attempt(accountId, address) {
      const network = networkOf(address);
      const at = now();
      const seconds =
        fromNetwork.take(`${accountId} ${network}`, at) ||
        networks.take(network, at) ||
        fromAnywhere.take(accountId, at);
      if (seconds > 0) throw slowed(seconds);
    },
    succeeded: (accountId, address) => fromNetwork.forgive(`${accountId} ${networkOf(address)}`),
  };
}
