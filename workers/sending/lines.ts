/**
 * A channel sends to one person one call at a time, in the order of acceptance, which is the order in which rows are
 * claimed. Rows behind the one under way wait here and do not count as calls under way.
 */
import { createCache } from '../../ports/cache.js';
import type { SendPayload, Urgency } from '../../application/send/queue.js';
import type { Clock } from '../../ports/clock.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { PassingMap } from '../../ports/passing.js';

/** A claimed row, with its urgency. */
export interface Claimed {
  readonly urgency: Urgency;
  readonly entry: ClaimedEntry;
}

/** `putBack`: the time at which the row must come back. */
export type Place = 'goes' | 'waits' | { readonly putBack: number };

/** The lines of one channel in this process. Calls outlive the lease under which they began, and so do their lines. */
export interface Lines {
  /** Whether the row is the one under way, or about to be. */
  goes(entry: ClaimedEntry): boolean;
  /** A row that `goes` must be followed by a call of `next`, however it ends. */
  enter(claimed: Claimed): Place;
  /**
   * The row under way has ended: the next row of the same person is now under way. Undefined: none waits, the line is
   * free.
   */
  next(subject: string): Claimed | undefined;
  /** A row of this person comes back at this time: rows accepted later stay behind it. */
  comesBack(subject: string, at: number): void;
  /**
   * The row under way has ended, and none of the person's may follow here. Frees the line and returns the rows to put
   * back.
   */
  disband(subject: string): readonly Claimed[];
  /** Removes and returns all waiting rows, by person, to be put back: the channel goes to another process. */
  clear(): readonly (readonly Claimed[])[];
  /** Whether any row is under way. */
  busy(): boolean;
}

/** Further rows wait where every process sees them: a call may take half a minute. */
const MOST_BEHIND = 100;
const FULL_MS = 1_000;
const MOST_REMEMBERED = 10_000;

interface Line {
  goes: string;
  readonly behind: Claimed[];
}

/** When a row of a person comes back: by the wall clock, which rows use, and by the monotonic clock. */
interface Back {
  readonly at: number;
  readonly endsAt: number;
}

export const recipientOf = ({ payload }: ClaimedEntry): string => (payload as SendPayload).subject;

export function createLines(clock: Pick<Clock, 'now' | 'monotonic'>): Lines {
  const lines = new PassingMap<string, Line>();
  const backs = createCache<string, Back>(MOST_REMEMBERED);
  const comesBack = (subject: string, at: number): void =>
    void backs.set(subject, { at, endsAt: clock.monotonic() + (at - clock.now()) });
  /** The wall clock may have been set back since: no row waits longer than was intended. */
  const dueAgain = ({ at, endsAt }: Back): number =>
    Math.min(at, Math.ceil(clock.now() + Math.max(0, endsAt - clock.monotonic())));

  return {
    goes: (entry) => lines.get(recipientOf(entry))?.goes === entry.id,
    enter(claimed) {
      const { entry } = claimed;
      const subject = recipientOf(entry);
      const line = lines.get(subject);
      if (line?.goes === entry.id) return 'goes';
      const known = line?.behind.findIndex((other) => other.entry.id === entry.id) ?? -1;
      if (line && known >= 0) {
        // The row's claim expired while it waited: keep the newer claim.
        line.behind[known] = claimed;
        return 'waits';
      }
      const back = backs.get(subject);
      // A row that was put back was accepted before a row that is claimed for the first time.
      if (back !== undefined && entry.claims === 1 && entry.dueAt <= back.at)
        return { putBack: dueAgain(back) };
      if (!line) {
        lines.set(subject, { goes: entry.id, behind: [] });
        return 'goes';
      }
      if (line.behind.length < MOST_BEHIND) {
        line.behind.push(claimed);
        return 'waits';
      }
      const at = clock.now() + FULL_MS;
      comesBack(subject, at);
      return { putBack: at };
    },
    next(subject) {
      const line = lines.get(subject);
      const first = line?.behind.shift();
      if (line && first) line.goes = first.entry.id;
      else lines.delete(subject);
      return first;
    },
    comesBack,
    disband(subject) {
      const behind = lines.get(subject)?.behind ?? [];
      lines.delete(subject);
      return behind;
    },
    busy: () => lines.size > 0,
    clear: () => [...lines.values()].map(({ behind }) => behind.splice(0)),
  };
}
