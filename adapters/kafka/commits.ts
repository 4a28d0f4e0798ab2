/**
 * The offsets that a group commits. A batch may stay open after it was handled; the committed offset stays before the
 * oldest open batch, while later ones are delivered.
 */
import type { EachBatchPayload } from 'kafkajs';
import type { Clock } from '../../ports/clock.js';
import { settled } from '../../ports/waiting.js';
import { isRefusal, type Membership } from './membership.js';

export interface PartitionPlace {
  /**
   * Whether the message was published after this member got the partition. Older ones may have been delivered to
   * another member.
   */
  isNew(offset: string): boolean;
  /**
   * A batch before this offset was handled, and is open until this work has ended. Commits it, unless it or an earlier
   * batch is open. Where `atEnd` says that nothing more was fetched, it may be committed a moment later.
   */
  passed(offset: string, until: readonly Promise<unknown>[], atEnd: boolean): Promise<void>;
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
}

/**
 * Batches that end within this time are committed together, those of all partitions. A crash repeats what was handled
 * within it.
 */
export const GATHER_MS = 100;
const AGAIN_MS = 1_000;

export function createCommits(deps: {
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  readonly onCommit: () => void;
}): Commits {
  const { clock, report, onCommit } = deps;
  const places = new Map<number, Place>();
  /** When the end of a fetch is committed at once again. */
  let nextAt = -Infinity;
  let cancel: (() => void) | undefined;

  /** After another assignment, kafkajs would commit offsets of the last assignment under the new one. */
  const holds = ({ membership, assignment }: Place): boolean =>
    membership.assignment === assignment && !membership.over;

  /** The last batch of the partition that can be committed. */
  function lastEnded(place: Place): Batch | undefined {
    const firstOpen = place.batches.findIndex(({ ended }) => !ended);
    return (firstOpen < 0 ? place.batches : place.batches.slice(0, firstOpen)).at(-1);
  }

  /** One request for all partitions of a membership. */
  async function commitOf(due: readonly (readonly [Place, Batch])[]): Promise<void> {
    const [first] = due;
    if (!first) return;
    const { payload } = first[0];
    await payload.commitOffsetsIfNecessary({
      topics: [
        {
          topic: payload.batch.topic,
          partitions: due.map(([place, { offset }]) => ({
            partition: place.payload.batch.partition,
            offset,
          })),
        },
      ],
    });
    for (const [place, last] of due) place.batches = place.batches.slice(place.batches.indexOf(last) + 1);
    onCommit();
  }

  async function commitAll(): Promise<void> {
    const due = new Map<Membership, (readonly [Place, Batch])[]>();
    for (const place of places.values()) {
      const last = holds(place) ? lastEnded(place) : undefined;
      if (last) due.set(place.membership, [...(due.get(place.membership) ?? []), [place, last]]);
    }
    await settled([...due.values()].map(commitOf));
  }

  /** After a refusal, the batches are delivered again, to this member or another: nothing failed. */
  function failed(error: unknown): void {
    if (!isRefusal(error)) report(error);
  }

  function commitSoon(inMs: number): void {
    cancel ??= clock.after(inMs, () => {
      cancel = undefined;
      nextAt = clock.monotonic() + GATHER_MS;
      commitAll().catch((error: unknown) => {
        failed(error);
        if ([...places.values()].some(holds)) commitSoon(AGAIN_MS);
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
    const { assignment } = membership;
    const place: Place = {
      assignment,
      membership,
      newFrom: BigInt(highWatermark),
      payload,
      batches: [],
    };
    places.set(partition, place);
    return place;
  }

  return {
    begin(payload, membership) {
      const place = begin(payload, membership);
      return {
        isNew: (offset) => BigInt(offset) >= place.newFrom,
        async passed(offset, until, atEnd) {
          const batch: Batch = { offset, ended: until.length === 0 };
          place.batches.push(batch);
          if (place.batches.every(({ ended }) => ended)) {
            if (!atEnd) return commitAll();
            const wait = nextAt - clock.monotonic();
            if (wait > 0) return commitSoon(wait);
            nextAt = clock.monotonic() + GATHER_MS;
            return commitAll();
          }
          if (batch.ended) return;
          void Promise.all(until).then(
            () => {
              batch.ended = true;
              commitSoon(GATHER_MS);
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
      cancel?.();
      cancel = undefined;
      await commitAll().catch(failed);
    },
  };
}
