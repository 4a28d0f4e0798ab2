/** A catch-up subscription: reads pages until the end, then waits for the next commit. */
import type { Clock } from '../../ports/clock.js';
import type { Subscription, SubscriptionOptions } from '../../ports/event-store.js';
import { createBell, yieldToEventLoop } from '../../ports/waiting.js';
import { backoff, reportTo } from './loop.js';
import type { History } from './history.js';

/** Commits ring the bell; this poll covers a ring that was lost through a bug. */
const SAFETY_POLL = 1_000;
const DEFAULT_BATCH = 500;

export function subscribe(history: History, clock: Clock, options: SubscriptionOptions): Subscription {
  const news = createBell(clock);
  const stopping = createBell(clock);
  let stopped = false;
  const silence = history.onAppended(() => news.ring());

  async function run(): Promise<void> {
    // The caller receives its Subscription before the first batch.
    await yieldToEventLoop();
    let position = options.after;
    let failures = 0;
    while (!stopped) {
      try {
        const page = history.readAll(position, options.maxBatch ?? DEFAULT_BATCH, options.prefixes);
        if (page.records.length > 0) await options.onBatch(page.records, page.next);
        position = page.next;
        failures = 0;
        if (page.atEnd) await news.wait(SAFETY_POLL);
        else await yieldToEventLoop();
      } catch (error) {
        failures += 1;
        reportTo(options.onError, error);
        if (!stopped) await stopping.wait(backoff(failures));
      }
    }
  }

  const done = run();
  return {
    stop() {
      stopped = true;
      silence();
      news.ring();
      stopping.ring();
      return done;
    },
  };
}
