import { expect } from 'chai';
import { intakeSubject } from '../../../application/intake.js';
import type { Clock } from '../../../ports/clock.js';
import { silentLogger } from '../../../ports/logger.js';
import { startIntakeRetention } from '../../../workers/inbound/retention.js';
import { temporaryStore } from '../../conformance/embedded.js';
import { record, streamName } from '../../conformance/support.js';
import { openedForEach } from '../../support/opened.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe('retention of provider webhooks', () => {
  const embedded = openedForEach(temporaryStore);

  /** A deployment whose history began so many days ago, and that keeps webhooks for 30 days. */
  async function began(daysAgo: number) {
    const { eventStore, personalKeys } = embedded.store;
    const first = record();
    await eventStore.append(streamName(), 'no_stream', [first]);
    const now = Date.parse(first.meta.occurred_at) + daysAgo * DAY_MS;
    const days = [0, 1, 29, 31, 60, 61, 90, 399].filter((days) => days < daysAgo);
    for (const day of days) await personalKeys.keyFor(intakeSubject(now - day * DAY_MS), 'company');
    return { now, days, eventStore, personalKeys };
  }

  async function left(daysAgo: number, hours: number): Promise<readonly number[]> {
    const { now, days, eventStore, personalKeys } = await began(daysAgo);
    let due: (() => void) | undefined;
    const clock: Clock = {
      now: () => now,
      monotonic: () => now,
      after(ms, task) {
        expect(ms).to.equal(HOUR_MS);
        due = task;
        return () => undefined;
      },
    };
    const destroyed: string[] = [];
    const keys = {
      ...personalKeys,
      async destroy(subject: string) {
        const went = await personalKeys.destroy(subject);
        if (went > 0) destroyed.push(subject);
        return went;
      },
    };
    const rounds = startIntakeRetention({ store: eventStore, keys, clock, logger: silentLogger }, 30);
    for (let n = 0; n < hours; n += 1) {
      const round = due!;
      due = undefined;
      round();
      while (due === undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    await rounds.stop();
    return days.filter((day) => !destroyed.includes(intakeSubject(now - day * DAY_MS)));
  }

  it('destroys the keys of all days before, however long nothing ran', async () => {
    expect(await left(400, 1)).to.deep.equal([0, 1, 29]);
  });

  it('is over when a history is younger than that', async () => {
    expect(await left(10, 2)).to.deep.equal([0, 1]);
  });
});
