import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { RECONCILE_QUEUE } from '../../../application/send/queue.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { startReconciler, type IntakeReading } from '../../../workers/sending/reconcile.js';
import { deferred } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';

const WINDOW_MS = 5_000;
const MINUTE = 60_000;

describe('sends whose outcome was lost', () => {
  function world(intake: Partial<IntakeReading>) {
    const clock = manualClock();
    const dueTimes = memoryDueTimes(() => clock.now());
    const givenUp: string[] = [];
    /** Of operations whose outcome is open for longer than their row says. */
    const openUntil = new Map<string, number>();
    const app = {
      clock,
      dueTimes,
      logger: silentLogger,
      settings: { reconcileWindowMs: WINDOW_MS },
      executor: {
        async load(_aggregate: unknown, uuid: string) {
          const reconcileUntil = new Date(openUntil.get(uuid) ?? 0).toISOString();
          return { state: { phase: 'unknown', reconcileUntil } };
        },
        async execute(_aggregate: unknown, uuid: string, { type }: { type: string }) {
          givenUp.push(`${type} ${uuid}`);
          return { state: { messageUuid: null } };
        },
      },
    } as unknown as App;
    const lost = (id: string, inMs: number) =>
      dueTimes.schedule([
        { queue: RECONCILE_QUEUE, id, lane: 'l', dueAt: clock.now() + inMs, payload: { event_id: 'e' } },
      ]);
    const reconciler = startReconciler(app, {
      untilRead: () => Promise.resolve(true),
      toReadAgain: () => Promise.resolve(0),
      ...intake,
    });
    return { clock, dueTimes, givenUp, openUntil, lost, reconciler };
  }

  it('are given up once their window has ended and everything WhatsApp told by then was read', async () => {
    const read = deferred<boolean>();
    const { clock, dueTimes, givenUp, lost, reconciler } = world({ untilRead: () => read.promise });
    await lost('a', 10_000);
    await clock.advance(10 * MINUTE);
    expect(givenUp).to.deep.equal([]);
    // Its window ends after what is being waited for: the next look is for it.
    await lost('b', -1);
    read.resolve(true);
    await clock.advance(5_000);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a', 'GiveUpReconciling b']);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.deep.equal([]);
    await reconciler.stop();
    expect(clock.pending()).to.equal(0);
  });

  it('are not given up by a process that ends while it waits', async () => {
    const { clock, dueTimes, givenUp, lost, reconciler } = world({
      untilRead: async (stopping) => {
        while (!stopping()) await new Promise((resolve) => setImmediate(resolve));
        return !stopping();
      },
    });
    await lost('a', 0);
    await clock.advance(MINUTE);
    await reconciler.stop();
    expect(givenUp).to.deep.equal([]);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.have.length(1);
  });

  it('wait for webhooks that will be read again, but not for long', async () => {
    let failed = 1;
    const { clock, givenUp, lost, reconciler } = world({ toReadAgain: () => Promise.resolve(failed) });
    await lost('a', 10_000);
    await clock.advance(2 * MINUTE);
    expect(givenUp).to.deep.equal([]);
    await clock.advance(15_000);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    await lost('b', 1_000);
    await clock.advance(30_000);
    failed = 0;
    await clock.advance(2_000);
    expect(givenUp.slice(1)).to.deep.equal(['GiveUpReconciling b']);
    await reconciler.stop();
  });

  it('leave whoever knows the outcome the time to tell it after a store was away', async () => {
    let away = true;
    const { clock, givenUp, lost, reconciler } = world({
      untilRead: () => (away ? Promise.reject(new StoreUnavailable('gone')) : Promise.resolve(true)),
    });
    await lost('a', 10_000);
    await clock.advance(10 * MINUTE);
    away = false;
    await clock.advance(25_000);
    expect(givenUp).to.deep.equal([]);
    await clock.advance(10_000);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    await reconciler.stop();
  });

  it('are not given up by the row of an attempt before the last', async () => {
    const { clock, dueTimes, givenUp, openUntil, lost, reconciler } = world({});
    await lost('a', 10_000);
    openUntil.set('a', clock.now() + 2 * MINUTE);
    await clock.advance(MINUTE + 55_000);
    expect(givenUp).to.deep.equal([]);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.have.length(1);
    await clock.advance(10_000);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.deep.equal([]);
    await reconciler.stop();
  });
});
