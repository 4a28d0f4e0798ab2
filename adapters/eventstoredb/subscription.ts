/**
 * A subscription that does not end: one session after the other, each from the last position that the consumer has
 * handled. The client itself never resubscribes.
 */
import type { Subscription, SubscriptionOptions } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import { createBell, yieldToEventLoop } from '../../ports/waiting.js';
import { reportTo } from '../embedded/loop.js';
import type { ConnectionString } from './connection-string.js';
import { unavailable } from './errors.js';
import { pauseAfter } from './limits.js';
import type { Reading } from './reading.js';
import { openSession, type Batch, type Session, type SessionDeps } from './session.js';
import { watch } from './watchdog.js';

export interface SubscriptionDeps extends SessionDeps {
  readonly target: ConnectionString;
  readonly logger: Logger;
  readonly readAll: Reading['readAll'];
}

const DEFAULT_BATCH = 500;

export function subscribe(deps: SubscriptionDeps, options: SubscriptionOptions): Subscription {
  const { clock, limits, logger, target } = deps;
  const prefixes = options.prefixes ?? [];
  const maxBatch = options.maxBatch ?? DEFAULT_BATCH;
  const stopping = createBell(clock);
  let stopped = false;
  let position = options.after;
  let session: Session | undefined;

  const stopWatching = watch({
    clock,
    intervalMs: limits.watchdogMs,
    session: () => session,
    next: (after) => deps.readAll({ after, limit: 1, prefixes }),
    onSilent: (silent) => silent.end(new Error('records were written that it did not deliver'), true),
  });

  /** Repeats until the consumer has handled the batch, or the subscription is stopped. */
  async function handOver({ records, upTo }: Batch): Promise<void> {
    for (let failures = 1; !stopped; failures += 1) {
      try {
        await options.onBatch(records, upTo);
        position = upTo;
        return;
      } catch (error) {
        reportTo(options.onError, error);
        if (!stopped) await stopping.wait(pauseAfter(failures, limits));
      }
    }
  }

  /** Returns whether the session was healthy. */
  async function follow(current: Session): Promise<boolean> {
    const since = clock.monotonic();
    let delivered = false;
    for (;;) {
      const batch = await current.take(maxBatch);
      if (!batch || stopped) break;
      delivered = true;
      await handOver(batch);
    }
    return delivered || (current.confirmed && clock.monotonic() - since >= limits.healthyAfterMs);
  }

  async function run(): Promise<void> {
    // The caller receives its Subscription before the first batch.
    await yieldToEventLoop();
    let failures = 0;
    while (!stopped) {
      let reason: unknown;
      let good = false;
      try {
        session = openSession(deps, { after: position, prefixes });
        good = await follow(session);
        reason = session.endedBy;
      } catch (error) {
        reason = error;
      }
      session = undefined;
      if (stopped) break;
      failures = good ? 1 : failures + 1;
      // A single drop is part of a subscription's normal life; a failure to get another one is worth reporting.
      if (failures > 1) reportTo(options.onError, unavailable(reason, target));
      else logger.info({ err: reason, prefixes }, 'a subscription was dropped; it is resumed');
      await stopping.wait(pauseAfter(failures, limits));
    }
  }

  const done = run().finally(stopWatching);
  return {
    stop() {
      stopped = true;
      session?.end(new Error('stopped'));
      stopping.ring();
      return done;
    },
  };
}
