/**
 * The offsets that a group commits. A batch may stay open after it was handled; the committed offset stays before the
 * oldest open batch, while later ones are delivered.
 */
import type { EachBatchPayload } from 'kafkajs';
import type { Clock } from '../../ports/clock.js';
import type { Membership } from './membership.js';

export interface PartitionPlace {
  /**
   * Whether the message was published after this member got the partition. Older ones may have been delivered to
   * another member.
   */
  isNew(offset: string): boolean;
  /**
   * A batch before this offset was handled, and is open until this work has ended. Commits it, unless it or an earlier
   * batch is open.
   */
  passed(offset: string, until: readonly Promise<unknown>[]): Promise<void>;
}

export interface Commits {
  begin(payload: EachBatchPayload, membership: Membership): PartitionPlace;
  /** Commits everything that has ended. Never rejects. */
  now(): Promise<void>;
}

interface Batch {
  readonly offset: string;
  ended: boolean;
}

interface Place {
  readonly assignment: number;
  readonly membership: Membership;
  /** Messages from this offset on were published after the assignment. */
  readonly newFrom: bigint;
  payload: EachBatchPayload;
  /** Batches that were not committed; oldest first. */
  batches: Batch[];
  cancel: (() => void) | undefined;
}

/** Batches that end within this time are committed together. */
const GATHER_MS = 100;
const AGAIN_MS = 1_000;

export function createCommits(deps: {
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  readonly onCommit: () => void;
}): Commits {
  const { clock, report, onCommit } = deps;
  const places = new Map<number, Place>();

  /** After another assignment, kafkajs would commit offsets of the last assignment under the new one. */
  const holds = ({ membership, assignment }: Place): boolean =>
    membership.assignment === assignment && !membership.over;

  async function commit(place: Place): Promise<void> {
    const firstOpen = place.batches.findIndex(({ ended }) => !ended);
    const ended = firstOpen < 0 ? place.batches : place.batches.slice(0, firstOpen);
    const last = ended.at(-1);
    if (!last || !holds(place)) return;
    const { topic, partition } = place.payload.batch;
    await place.payload.commitOffsetsIfNecessary({
      topics: [{ topic, partitions: [{ partition, offset: last.offset }] }],
    });
    place.batches = place.batches.slice(place.batches.indexOf(last) + 1);
    onCommit();
  }

  function commitSoon(place: Place, inMs: number): void {
    place.cancel ??= clock.after(inMs, () => {
      place.cancel = undefined;
      commit(place).catch((error: unknown) => {
        report(error);
        if (holds(place)) commitSoon(place, AGAIN_MS);
      });
    });
  }

  function begin(payload: EachBatchPayload, membership: Membership): Place {
    const { partition, highWatermark } = payload.batch;
    const known = places.get(partition);
    if (known?.membership === membership && known.assignment === membership.assignment) {
      known.payload = payload;
      return known;
    }
    known?.cancel?.();
    const { assignment } = membership;
    const place: Place = {
      assignment,
      membership,
      newFrom: BigInt(highWatermark),
      payload,
      batches: [],
      cancel: undefined,
    };
    places.set(partition, place);
    return place;
  }

  return {
    begin(payload, membership) {
      const place = begin(payload, membership);
      return {
        isNew: (offset) => BigInt(offset) >= place.newFrom,
        async passed(offset, until) {
          const batch: Batch = { offset, ended: until.length === 0 };
          place.batches.push(batch);
          if (place.batches.every(({ ended }) => ended)) return commit(place);
          if (batch.ended) return;
          void Promise.all(until).then(
            () => {
              batch.ended = true;
              commitSoon(place, GATHER_MS);
            },
            // It stays open: the batch is delivered again to the next member.
            report,
          );
        },
      };
    },
    async now() {
      // Work that has just ended says so in a microtask.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(
        [...places.values()].map((place) => {
          place.cancel?.();
          place.cancel = undefined;
          return commit(place).catch(report);
        }),
      );
    },
  };
}
