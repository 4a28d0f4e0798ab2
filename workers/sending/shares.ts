/**
 * Calls under way are limited, and a provider that answers slowly holds each for seconds. Once half of them are in use,
 * every company that has something to send gets its share, and within it each of its channels. Before that nobody has
 * to wait. A single company leaves a quarter free, so that the next one need not wait for its calls to end.
 */
import { isDue, type ChannelLane } from './lane.js';

const ALONE = 3 / 4;

/** How many more calls the channel may begin. */
export function roomFor(
  lane: ChannelLane,
  lanes: Iterable<ChannelLane>,
  inFlight: number,
  most: number,
  now: number,
): number {
  const free = most - inFlight;
  if (inFlight * 2 < most) return Math.max(0, Math.min(free, Math.floor(most * ALONE) - inFlight));
  const active = [...lanes].filter((other) => other === lane || isActive(other, now));
  const companies = new Set(active.map((other) => other.facts.companyUuid)).size;
  const ours = active.filter((other) => other.facts.companyUuid === lane.facts.companyUuid);
  const share = Math.max(1, Math.floor(most * (companies === 1 ? ALONE : 1 / companies)));
  const ourCalls = ours.reduce((sum, other) => sum + other.inFlight, 0);
  const laneShare = Math.max(1, Math.floor(share / ours.length));
  return Math.max(0, Math.min(free, share - ourCalls, laneShare - lane.inFlight));
}

/** A lane that is claiming counts too: meanwhile none of its rows is known to be due. */
const isActive = (lane: ChannelLane, now: number): boolean =>
  lane.inFlight > 0 || lane.pumping || isDue(lane, 'service', now) || isDue(lane, 'marketing', now);
