/** The endpoints that have something due, and the order in which they are served. */
import { createCache } from '../../ports/cache.js';
import type { Rounds } from '../kernel/rounds.js';
import type { DueLane } from '../lanes/claims.js';
import type { Held } from './attempt.js';
import { freeSlots, isQuick, newPace, type Pace, type PaceLimits } from './pace.js';
import { PassingSet } from '../../ports/passing.js';

export interface EndpointLane extends DueLane, Rounds {
  readonly endpointUuid: string;
  /** Claimed and waiting for a slot. */
  readonly held: Held[];
  inFlight: number;
  /** Rows to claim at once: grows while claims come back full, since the store's cost depends on the limit. */
  claimSize: number;
  readonly pace: Pace;
}

export interface EndpointLanes {
  get(endpointUuid: string): EndpointLane;
  all(): Iterable<EndpointLane>;
  /**
   * The next lane that can start a request now (monotonic); undefined when none can. Quick endpoints and the others
   * alternate, in round robin among themselves.
   * @param onlyQuick the others already have all the slots that they may have
   */
  take(now: number, onlyQuick?: boolean): EndpointLane | undefined;
  /** The lane may be able to start something. */
  offer(lane: EndpointLane): void;
  /** Forgets lanes that have no work and no state worth keeping, except how quick they were. */
  sweep(): void;
}

const REMEMBERED = 10_000;

export function createEndpointLanes(limits: PaceLimits): EndpointLanes {
  const lanes = new Map<string, EndpointLane>();
  /** Mean times of endpoints that had nothing due for a while. */
  const means = createCache<string, number>(REMEMBERED);
  // They keep insertion order: taking from the front and adding again at the back is the round robin.
  const quick = new PassingSet<EndpointLane>();
  const others = new PassingSet<EndpointLane>();
  let turnOfOthers = true;

  function takeFrom(ring: PassingSet<EndpointLane>, now: number): EndpointLane | undefined {
    for (const lane of ring) {
      ring.delete(lane);
      if (lane.held.length > 0 && freeSlots(lane.pace, lane.inFlight, now) > 0) return lane;
    }
    return undefined;
  }

  return {
    get(endpointUuid) {
      let lane = lanes.get(endpointUuid);
      if (lane === undefined) {
        lane = {
          endpointUuid,
          held: [],
          inFlight: 0,
          pumping: false,
          again: false,
          claimSize: limits.maxPerEndpoint,
          nextDueAt: Infinity,
          moreLater: false,
          pace: newPace(limits, means.get(endpointUuid)),
        };
        lanes.set(endpointUuid, lane);
      }
      return lane;
    },
    all: () => lanes.values(),
    take(now, onlyQuick = false) {
      if (onlyQuick) return takeFrom(quick, now);
      turnOfOthers = !turnOfOthers;
      const [first, second] = turnOfOthers ? [others, quick] : [quick, others];
      return takeFrom(first, now) ?? takeFrom(second, now);
    },
    offer(lane) {
      const [to, from] = isQuick(lane.pace, limits) ? [quick, others] : [others, quick];
      from.delete(lane);
      to.add(lane);
    },
    sweep() {
      for (const [id, lane] of lanes) {
        const busy = lane.inFlight > 0 || lane.pumping || lane.held.length > 0 || lane.nextDueAt < Infinity;
        const learned = lane.pace.silent > 0 || lane.pace.slots < limits.maxPerEndpoint;
        if (busy || learned) continue;
        if (lane.pace.meanMs > 0) means.set(id, lane.pace.meanMs);
        lanes.delete(id);
      }
    },
  };
}
