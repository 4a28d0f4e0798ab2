/** The endpoints that have something due, and the order in which they take turns. */
import type { Held } from './attempt.js';
import { freeSlots, newPace, type Pace, type PaceLimits } from './pace.js';

export interface Lane {
  readonly endpointUuid: string;
  /** Claimed and waiting for a slot. */
  readonly held: Held[];
  inFlight: number;
  claiming: boolean;
  /** Rows to ask for at once: grows while claims come back full, since the store pays for what is asked. */
  claimSize: number;
  /** Earliest due time (of day) known; infinite when none is. */
  nextDueAt: number;
  /** Later due times were seen and not kept: ask the store once the earliest is done. */
  moreLater: boolean;
  readonly pace: Pace;
}

export interface Lanes {
  get(endpointUuid: string): Lane;
  all(): Iterable<Lane>;
  /** The next lane that can start a request now (monotonic), round robin; undefined when none can. */
  take(now: number): Lane | undefined;
  /** The lane may be able to start something. */
  offer(lane: Lane): void;
  /** Forgets lanes that have nothing and remember nothing worth keeping. */
  sweep(): void;
}

export function createLanes(limits: PaceLimits): Lanes {
  const lanes = new Map<string, Lane>();
  // A Set keeps insertion order: taking from the front and offering again at the back is the round robin.
  const ring = new Set<Lane>();
  return {
    get(endpointUuid) {
      let lane = lanes.get(endpointUuid);
      if (lane === undefined) {
        lane = {
          endpointUuid,
          held: [],
          inFlight: 0,
          claiming: false,
          claimSize: limits.maxPerEndpoint,
          nextDueAt: Infinity,
          moreLater: false,
          pace: newPace(limits),
        };
        lanes.set(endpointUuid, lane);
      }
      return lane;
    },
    all: () => lanes.values(),
    take(now) {
      for (const lane of ring) {
        ring.delete(lane);
        if (lane.held.length > 0 && freeSlots(lane.pace, lane.inFlight, now) > 0) return lane;
      }
      return undefined;
    },
    offer: (lane) => void ring.add(lane),
    sweep() {
      for (const [id, lane] of lanes) {
        const busy = lane.inFlight > 0 || lane.claiming || lane.held.length > 0 || lane.nextDueAt < Infinity;
        const learned = lane.pace.silent > 0 || lane.pace.slots < limits.maxPerEndpoint;
        if (!busy && !learned) lanes.delete(id);
      }
    },
  };
}

/** Notes that something of the lane is due at a time. */
export function noteDue(lane: Lane, dueAt: number, now: number): void {
  if (dueAt === lane.nextDueAt) return;
  if (lane.nextDueAt < Infinity && Math.max(lane.nextDueAt, dueAt) > now) lane.moreLater = true;
  lane.nextDueAt = Math.min(lane.nextDueAt, dueAt);
}
