/**
 * Combines guarded writes to one collection into one command. Callers that may wait a moment share a command with those
 * that come within that moment. Commands of a collection begin at least so far apart, so a write waits only where another
 * one has just been sent: alone it is sent at once, and under load the number of commands has a limit.
 *
 * A command carries each document once: a second write of the same document goes into the next command, so each caller
 * learns what became of its own. A command that fails because of one document is sent again for each caller by itself.
 */
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { pause, yieldToEventLoop } from '../../ports/waiting.js';

/** Time between the beginnings of two commands of one collection. */
export const APART_MS = 100;
/** Many documents come to a collection where it gets so many a second. */
export const BUSY_PER_SECOND = 40;
/** A caller that brings so many documents needs no others to make a command worth its cost. */
const ENOUGH = 50;
/** Most documents in one command. */
const MOST = 500;

/** Returns the ids of those that stay as they are. */
export type GatheredWrites<Write> = (writes: readonly Write[]) => Promise<readonly string[]>;

interface Open<Write> {
  readonly writes: Map<string, Write>;
  callers: number;
  readonly stay: Promise<ReadonlySet<string>>;
}

/**
 * @param send writes documents with different ids, and returns the ids of those that stay as they are
 * @param busyApartMs time between two commands while many documents come
 */
export function gatheredWrites<Write>(
  send: (writes: readonly Write[]) => Promise<readonly string[]>,
  idOf: (write: Write) => string,
  clock: Pick<Clock, 'after' | 'monotonic'>,
  busyApartMs: number = APART_MS,
): GatheredWrites<Write> {
  let open: Open<Write> | undefined;
  /** When the last command begins, or began. */
  let lastAt = -Infinity;
  let sentAt = -Infinity;
  let apartMs = APART_MS;

  function noteSent(count: number): void {
    const now = clock.monotonic();
    const perSecond = (count * 1_000) / Math.max(APART_MS, now - sentAt);
    apartMs = perSecond >= BUSY_PER_SECOND ? busyApartMs : APART_MS;
    sentAt = now;
  }

  function begin(): Open<Write> {
    const writes = new Map<string, Write>();
    const sent = async (): Promise<ReadonlySet<string>> => {
      lastAt = Math.max(clock.monotonic(), lastAt + apartMs);
      const wait = lastAt - clock.monotonic();
      if (wait > 0) await pause(clock, wait);
      else await yieldToEventLoop();
      if (open === begun) open = undefined;
      noteSent(writes.size);
      return new Set(await send([...writes.values()]));
    };
    const begun: Open<Write> = { writes, callers: 0, stay: sent() };
    return begun;
  }

  const fits = ({ writes }: Open<Write>, added: readonly Write[]): boolean =>
    writes.size + added.length <= MOST && !added.some((write) => writes.has(idOf(write)));

  return async (added) => {
    if (added.length >= ENOUGH) return send(added);
    const shared = open !== undefined && fits(open, added) ? open : (open = begin());
    for (const write of added) shared.writes.set(idOf(write), write);
    shared.callers += 1;
    try {
      const stay = await shared.stay;
      return added.map(idOf).filter((id) => stay.has(id));
    } catch (error) {
      if (shared.callers === 1 || error instanceof StoreUnavailable) throw error;
      return send(added);
    }
  };
}
