/**
 * What one channel sends to one person goes one call at a time, in the order of acceptance, which is the order in which
 * rows are claimed. Rows behind the one under way are held here and take no room among the calls under way.
 */
import { createCache } from '../../ports/cache.js';
import type { SendPayload, Urgency } from '../../application/send/queue.js';
import type { Clock } from '../../ports/clock.js';
import type { ClaimedEntry } from '../../ports/due-times.js';

/** A row that was claimed. */
export interface Claimed {
  readonly urgency: Urgency;
  readonly entry: ClaimedEntry;
}

/** `putBack`: the row is to come back at this time. */
export type Place = 'goes' | 'waits' | { readonly putBack: number };

/** Of one channel in this process. Calls outlive the lease under which they began, and so do their lines. */
export interface Lines {
  /** Whether it is the one under way, or about to be. */
  goes(entry: ClaimedEntry): boolean;
  /** What `goes` must be followed by `next`, however it ends. */
  enter(claimed: Claimed): Place;
  /** The one before has ended: the next of the same person is under way. Undefined: nobody waits, the line is free. */
  next(subject: string): Claimed | undefined;
  /** A row of this person comes back then: what is accepted later stays behind it. */
  comesBack(subject: string, at: number): void;
  /** The one before has ended, and none of the person's may follow here: the line is free, these are to be put back. */
  disband(subject: string): readonly Claimed[];
  /** Everything that waits here, by person, to be put back: the channel goes to another process. */
  clear(): readonly (readonly Claimed[])[];
  /** Whether a row of anybody is under way. */
  busy(): boolean;
}

/** Beyond, rows wait where every process sees them: a call may take half a minute. */
const MOST_BEHIND = 100;
const FULL_MS = 1_000;
const MOST_REMEMBERED = 10_000;

interface Line {
  goes: string;
  readonly behind: Claimed[];
}

/** When a row of a person comes back: by the wall clock, which rows have, and by the one that is not set. */
interface Back {
  readonly at: number;
  readonly endsAt: number;
}

export const recipientOf = ({ payload }: ClaimedEntry): string => (payload as SendPayload).subject;

export function createLines(clock: Pick<Clock, 'now' | 'monotonic'>): Lines {
  const lines = new Map<string, Line>();
  const backs = createCache<string, Back>(MOST_REMEMBERED);
  const comesBack = (subject: string, at: number): void =>
    void backs.set(subject, { at, endsAt: clock.monotonic() + (at - clock.now()) });
  /** Somebody may have set the clock back since: nobody waits longer than it was to be. */
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
        // Its claim ran out while it waited.
        line.behind[known] = claimed;
        return 'waits';
      }
      const back = backs.get(subject);
      // What was put back was accepted before what is claimed for the first time.
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
