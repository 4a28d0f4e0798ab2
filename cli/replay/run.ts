/** Sends events from a source to a target at a pace, and reports its progress even when it fails. */
import type { Clock } from '../../ports/clock.js';
import { pause } from '../../ports/waiting.js';
import { dueAfter, type Pace } from './pace.js';
import type { ReplayedEvent, Target } from './target.js';

export interface Replayed {
  readonly events: number;
  /** Position of the last event that the target has; null before the first. */
  readonly position: string | null;
}

/**
 * @param onDelivered after each batch
 * @throws errors of the target or the source; earlier deliveries have been reported
 */
export async function replay(of: {
  readonly events: AsyncIterable<ReplayedEvent>;
  readonly target: Target;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly onDelivered: (done: Replayed) => void;
}): Promise<Replayed> {
  const { target, pace, clock, onDelivered } = of;
  let done: Replayed = { events: 0, position: null };
  let batch: ReplayedEvent[] = [];
  let taken = 0;
  let first: { readonly at: number; readonly happened: number } | undefined;

  async function deliver(): Promise<void> {
    const last = batch[batch.length - 1];
    if (last === undefined) return;
    await target.send(batch);
    done = { events: done.events + batch.length, position: last.position };
    batch = [];
    onDelivered(done);
  }

  for await (const event of of.events) {
    first ??= { at: clock.monotonic(), happened: event.at };
    const due = first.at + dueAfter(pace, taken, event.at - first.happened);
    const early = (): boolean => due - clock.monotonic() > 1;
    // Events that are due do not wait for one that is not.
    if (early()) await deliver();
    // A loop, because a timer may fire up to two milliseconds early.
    while (early()) await pause(clock, due - clock.monotonic());
    taken += 1;
    batch.push(event);
    if (batch.length >= target.batch) await deliver();
  }
  await deliver();
  return done;
}
