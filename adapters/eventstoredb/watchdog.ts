/**
 * Detects a subscription that has gone silent: the connection is alive, but no events arrive (KurrentDB issue 3491).
 * While nothing arrives, the history after the last received position is read over the connection for requests. A
 * record found there that has not arrived a whole interval later was missed.
 */
import type { Clock } from '../../ports/clock.js';
import { START, type Position, type ReadAllPage } from '../../ports/event-store.js';
import type { Session } from './session.js';

export interface WatchdogDeps {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** The session to watch; undefined between two sessions. */
  readonly session: () => Session | undefined;
  /** The next relevant record after a position. */
  readonly next: (after: Position) => Promise<ReadAllPage>;
  readonly onSilent: (session: Session) => void;
}

/** Returns a function that stops it. */
export function watch({ clock, intervalMs, session, next, onSilent }: WatchdogDeps): () => void {
  let stopped = false;
  let cancel: () => void;
  let watched: Session | undefined;
  let lastReceived = START;
  /** A record that has not arrived. */
  let missed: Position | undefined;
  /** No relevant record exists before this position. */
  let scanned = START;

  async function look(): Promise<void> {
    const current = session();
    if (!current?.confirmed || current.endedBy || !current.idle) {
      watched = undefined;
      return;
    }
    if (current !== watched || current.received !== lastReceived) {
      watched = current;
      lastReceived = current.received;
      missed = undefined;
      return;
    }
    if (missed !== undefined) return onSilent(current);
    const page = await next(scanned > lastReceived ? scanned : lastReceived);
    missed = page.records[0]?.position;
    if (missed === undefined) scanned = page.next;
  }

  const arm = (): void => {
    // A failed check proves nothing about the subscription; the next one follows.
    cancel = clock.after(intervalMs, () => void look().then(again, again));
  };
  const again = (): void => {
    if (!stopped) arm();
  };
  arm();
  return () => {
    stopped = true;
    cancel();
  };
}
