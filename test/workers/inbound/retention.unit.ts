/** The days of provider webhooks whose key is destroyed, and when. */
import { expect } from 'chai';
import { intakeSubject } from '../../../application/intake.js';
import type { Position, StoredRecord } from '../../../ports/event-store.js';
import { startIntakeRetention } from '../../../workers/inbound/retention.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const KEPT = 30;
/** Far more calls than any test needs. */
const MOST = 1_000;

describe('the keys of days that are over', () => {
  /** A deployment whose history began so many days ago; null: it has no history. */
  function world(daysAgo: number | null) {
    const clock = manualClock();
    const { logger, log } = collectingLogger();
    const destroyed: string[] = [];
    const began = clock.now() - (daysAgo ?? 0) * DAY;
    let pages = 0;
    const hooks = { destroy: async (): Promise<void> => undefined };
    const app = {
      clock,
      logger,
      keys: {
        async destroy(subject: string) {
          if (destroyed.push(subject) > MOST) throw new Error('there is no end of days');
          await hooks.destroy();
          return 1;
        },
      },
      store: {
        // A filter can leave the first page without records.
        readAll: async ({ after }: { after: Position }) => {
          if ((pages += 1) > MOST) throw new Error('there is no end of pages');
          if (daysAgo === null) return { records: [], next: after, atEnd: true };
          if (after === '') return { records: [], next: '1' as Position, atEnd: false };
          const meta = { occurred_at: new Date(began).toISOString() };
          return { records: [{ meta } as StoredRecord], next: '2' as Position, atEnd: false };
        },
      },
    } as unknown as Parameters<typeof startIntakeRetention>[0];
    const rounds = startIntakeRetention(app, KEPT);
    /** Days before now whose key was destroyed. */
    const gone = (): readonly number[] => {
      const now = clock.now();
      return destroyed.map((subject) => {
        for (let days = 0; days < 1_000; days += 1)
          if (intakeSubject(now - days * DAY) === subject) return days;
        throw new Error(`no day of ${subject}`);
      });
    };
    return { clock, log, destroyed, rounds, gone, hooks, pages: () => pages };
  }
  const days = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

  it('go an hour after the start, each day back to the beginning of the history', async () => {
    const w = world(100);
    await w.clock.advance(HOUR - 1);
    expect(w.destroyed).to.deep.equal([]);
    await w.clock.advance(1);
    expect(w.gone()).to.deep.equal(days(KEPT + 1, 71));
    await w.rounds.stop();
    expect(w.clock.pending()).to.equal(0);
  });

  it('go again each hour, for the last thirty days alone', async () => {
    const w = world(100);
    await w.clock.advance(HOUR);
    const pages = w.pages();
    w.destroyed.length = 0;
    await w.clock.advance(HOUR);
    expect(w.gone()).to.deep.equal(days(KEPT + 1, 30));
    expect(w.pages()).to.equal(pages);
    await w.rounds.stop();
  });

  it('are thirty at least, also of a history that is young or has not begun', async () => {
    for (const began of [1, null]) {
      const w = world(began);
      await w.clock.advance(HOUR);
      expect(w.gone()).to.deep.equal(days(KEPT + 1, 30));
      await w.rounds.stop();
    }
  });

  it('go from the beginning once more where that was broken off', async () => {
    const w = world(100);
    let left = 40;
    w.hooks.destroy = () => ((left -= 1) === 0 ? Promise.reject(new Error('gone')) : Promise.resolve());
    await w.clock.advance(HOUR);
    expect(w.destroyed).to.have.length(40);
    expect(w.log.map(({ message }) => message)).to.deep.equal([
      'erasing old provider webhooks failed; it is tried again',
    ]);
    w.destroyed.length = 0;
    await w.clock.advance(HOUR);
    expect(w.destroyed).to.have.length(71);
    await w.rounds.stop();
  });

  it('stay where the process is to end', async () => {
    const w = world(100);
    let stopped: Promise<void> | undefined;
    w.hooks.destroy = async () => {
      stopped ??= w.rounds.stop();
    };
    await w.clock.advance(HOUR);
    await stopped;
    expect(w.destroyed).to.have.length(1);
  });
});
