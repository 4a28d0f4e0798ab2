/**
 * Raw provider webhooks are sealed under a key per day. Destroying a day's key erases its bodies: what they said has
 * long been applied.
 */
import type { App } from '../../application/app.js';
import { intakeSubject } from '../../application/intake.js';
import { every, type Rounds } from '../kernel/every.js';

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** Days checked behind the limit, for a process that was down for a while. */
const LOOK_BACK_DAYS = 30;

export function startIntakeRetention(app: App, keepDays: number): Rounds {
  async function forgetOld(stopping: () => boolean): Promise<void> {
    for (let back = 1; back <= LOOK_BACK_DAYS && !stopping(); back += 1) {
      await app.keys.destroy(intakeSubject(app.clock.now() - (keepDays + back) * DAY_MS));
    }
  }

  return every(app, EVERY_MS, 'erasing old provider webhooks', forgetOld);
}
