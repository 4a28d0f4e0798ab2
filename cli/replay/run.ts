/** Takes events from a source to a target at a pace, and says how far it has come whatever happens. */
import type { Clock } from '../../ports/clock.js';
import { pause } from '../../ports/waiting.js';
import { dueAfter, type Pace } from './pace.js';
import type { ReplayedEvent, Target } from './target.js';

export interface Replayed {
  readonly events: number;
  /** Of the last event that the target has; null before the first. */
  readonly position: string | null;
}

/**
 * @param onDelivered after each batch
 * @throws what the target or the source throws; what was delivered before was told of
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
    // What is due already does not wait for what is not.
    if (early()) await deliver();
    // More than once: a timer may ring up to two milliseconds early.
    while (early()) await pause(clock, due - clock.monotonic());
    taken += 1;
    batch.push(event);
    if (batch.length >= target.batch) await deliver();
  }
  await deliver();
  return done;
}
