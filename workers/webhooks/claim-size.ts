/** How many rows are claimed for an endpoint at once. Every claim is a transaction of the store. */
import type { EndpointLane } from './lanes.js';
import { freeSlots, type PaceLimits } from './pace.js';

/** Rows claimed ahead for an endpoint that answers quickly, as a multiple of its slots. */
const AHEAD = 8;
const QUICK_MS = 200;

/** How many rows to claim: those that can start at once, and some ahead for an endpoint that is quick. */
export function claimLimit(
  lane: EndpointLane,
  monotonic: number,
): { readonly now: number; readonly ahead: number } {
  const { pace, held, claimSize } = lane;
  // Not in small portions, since every claim is a transaction of the store; but before the lane runs dry.
  if (held.length > Math.max(pace.slots, claimSize / 2)) return { now: 0, ahead: 0 };
  const quick = pace.restedMs === 0 && pace.meanMs < QUICK_MS;
  const ahead = quick ? pace.slots * AHEAD : 0;
  const slots = freeSlots(pace, lane.inFlight, monotonic);
  const wanted = Math.max(0, Math.min(slots + ahead - held.length, claimSize));
  const now = Math.min(wanted, Math.max(0, slots - held.length));
  return { now, ahead: wanted - now };
}

/** The size of the next claim. @param full the claim brought as many rows as it asked for */
export const nextClaimSize = (claimSize: number, full: boolean, { maxPerEndpoint }: PaceLimits): number =>
  full
    ? Math.min(claimSize * 2, maxPerEndpoint * (AHEAD + 1))
    : Math.max(maxPerEndpoint, Math.floor(claimSize / 2));
