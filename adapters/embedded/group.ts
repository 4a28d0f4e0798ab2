/**
 * How far a consumer group is. A batch may stay open after it was handled: the offset that is saved stays before the
 * oldest open batch, while later ones are delivered.
 */
import type { TopicMessage } from '../../ports/topics.js';

/** State shared by the consumers of a group. */
export interface Group {
  readonly topic: string;
  readonly name: string;
  /** Offset of the last message handled. */
  position(): number;
  /** Offset up to which nothing is open: what is to be saved. */
  passed(): number;
  /** The offset that the database has. */
  saved: number;
  /** Messages after this offset were published since the start: no earlier process has begun them. */
  readonly newAfter: number;
  readonly consumers: { wake(): void }[];
  /** Callers of `caughtUp`. */
  waiting: readonly { readonly target: number; readonly resolve: () => void }[];
  read(after: number, limit: number): readonly TopicMessage[];
  /** Offset of the newest message of the topic. */
  last(): number;
  /** The messages up to this offset were handled. They are open until this work has ended. */
  handled(offset: number, until: readonly Promise<unknown>[]): void;
}

interface Batch {
  /** The offset before its first message. */
  readonly after: number;
  ended: boolean;
}

export function createGroup(
  given: Pick<Group, 'topic' | 'name' | 'read' | 'last'> & {
    /** Undefined: it was never saved. */
    readonly saved: number | undefined;
    /** Called with the error of work that keeps its batch open for good: it is delivered again after a restart. */
    readonly onFailed: (error: unknown) => void;
  },
): Group {
  const { saved, onFailed, ...rest } = given;
  let position = saved ?? 0;
  /** Batches that are open, or behind one that is; oldest first. */
  let batches: Batch[] = [];

  function end(batch: Batch): void {
    batch.ended = true;
    const firstOpen = batches.findIndex(({ ended }) => !ended);
    batches = firstOpen < 0 ? [] : batches.slice(firstOpen);
  }

  return {
    ...rest,
    // A group that was never saved is saved at the first opportunity, so that pruning waits for it.
    saved: saved ?? -1,
    newAfter: rest.last(),
    consumers: [],
    waiting: [],
    position: () => position,
    passed: () => batches[0]?.after ?? position,
    handled(offset, until) {
      if (until.length > 0) {
        const batch: Batch = { after: position, ended: false };
        batches.push(batch);
        void Promise.all(until).then(() => end(batch), onFailed);
      }
      position = offset;
    },
  };
}
