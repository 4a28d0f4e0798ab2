/**
 * Raw provider webhooks are sealed under one key per day. Destroying a day's key erases its bodies; they were applied
 * long before.
 */
import type { App } from '../../application/app.js';
import { intakeSubject } from '../../application/intake.js';
import { START } from '../../ports/event-store.js';
import { every, type Rounds } from '../kernel/every.js';

type RetentionApp = Pick<App, 'store' | 'keys' | 'clock' | 'logger'>;

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** Days before the limit that each round checks, after the first round has checked all days. */
const LOOK_BACK_DAYS = 30;

export function startIntakeRetention(app: RetentionApp, keepDays: number): Rounds {
  /**
   * False until one round has checked all days: a deployment that was stopped, or restored from an old backup, may have
   * keys of any age.
   */
  let whole = false;

  async function forgetOld(stopping: () => boolean): Promise<void> {
    const limit = app.clock.now() - keepDays * DAY_MS;
    const days = whole ? LOOK_BACK_DAYS : Math.max(LOOK_BACK_DAYS, await daysBefore(app, limit));
    for (let back = 1; back <= days; back += 1) {
      if (stopping()) return;
      await app.keys.destroy(intakeSubject(limit - back * DAY_MS));
    }
    whole = true;
  }

  return every(app, EVERY_MS, 'erasing old provider webhooks', forgetOld);
}

/** Number of days, whole or in part, between the first event of the history and a time. */
async function daysBefore({ store }: RetentionApp, limit: number): Promise<number> {
  for (let after = START; ;) {
    const { records, next, atEnd } = await store.readAll({ after, limit: 1 });
    const first = records[0];
    if (first) return Math.ceil((limit - Date.parse(first.meta.occurred_at)) / DAY_MS);
    if (atEnd) return 0;
    after = next;
  }
}
