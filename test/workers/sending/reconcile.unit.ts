import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { RECONCILE_QUEUE } from '../../../application/send/queue.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import type { InboundBarrier } from '../../../workers/kernel/inbound-barrier.js';
import { startReconciler } from '../../../workers/sending/reconcile.js';
import { deferred } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';

const WINDOW_MS = 5_000;
const MINUTE = 60_000;
const PAYLOAD = { event_id: 'e', company: 'c', correlation_id: 'trace', subject: 's' };

describe('sends whose outcome was lost', () => {
  function world(intake: Partial<InboundBarrier>) {
    const clock = manualClock();
    const dueTimes = memoryDueTimes(() => clock.now());
    const givenUp: string[] = [];
    /** Operations whose outcome stays open for longer than their row says. */
    const openUntil = new Map<string, number>();
    /** Operations whose outcome is known by now. */
    const phases = new Map<string, string>();
    const contexts: unknown[] = [];
    const app = {
      clock,
      dueTimes,
      logger: silentLogger,
      settings: { reconcileWindowMs: WINDOW_MS },
      executor: {
        async load(_aggregate: unknown, uuid: string) {
          const reconcileUntil = new Date(openUntil.get(uuid) ?? 0).toISOString();
          return { state: { phase: phases.get(uuid) ?? 'unknown', attempt: 1, reconcileUntil } };
        },
        async execute(_aggregate: unknown, uuid: string, { type }: { type: string }, context: unknown) {
          givenUp.push(`${type} ${uuid}`);
          contexts.push(context);
          await answers.wait;
          const until = lostAgain.get(uuid);
          if (until === undefined) return { state: { messageUuid: null } };
          return { state: { phase: 'unknown', reconcileUntil: new Date(until).toISOString() } };
        },
      },
    } as unknown as App;
    /** Operations that were attempted and lost once more just before they are given up. */
    const lostAgain = new Map<string, number>();
    /** Giving up waits for this promise. */
    const answers = { wait: Promise.resolve() };
    const lost = (id: string, inMs: number, lane = 'l') =>
      dueTimes.schedule([{ queue: RECONCILE_QUEUE, id, lane, dueAt: clock.now() + inMs, payload: PAYLOAD }]);
    const reconciler = startReconciler(app, {
      untilRead: () => Promise.resolve(true),
      toReadAgain: () => Promise.resolve(0),
      ...intake,
    });
    return { clock, dueTimes, givenUp, openUntil, lostAgain, phases, contexts, lost, reconciler, answers };
  }

  it('are given up once their window has ended and everything WhatsApp told by then was read', async () => {
    const read = deferred<boolean>();
    const { clock, dueTimes, givenUp, lost, reconciler } = world({ untilRead: () => read.promise });
    await lost('a', 10_000);
    await clock.advance(10 * MINUTE);
    expect(givenUp).to.deep.equal([]);
    // This window ends after the moment that is being waited for: the next poll covers it.
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

  it('keep their row where another attempt was lost meanwhile, until its window has ended', async () => {
    const { clock, dueTimes, givenUp, lostAgain, lost, reconciler } = world({});
    await lost('a', 10_000);
    lostAgain.set('a', clock.now() + 2 * MINUTE);
    await clock.advance(MINUTE);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.have.length(1);
    lostAgain.clear();
    await clock.advance(MINUTE + 1_000);
    expect(givenUp).to.have.length(2);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.deep.equal([]);
    await reconciler.stop();
  });

  for (const hours of [-48, -1, 1, 48]) {
    it(`are given their window also where the clock was set by ${hours} h`, async () => {
      const { clock, givenUp, lost, reconciler } = world({});
      clock.stepWall(hours * 60 * MINUTE);
      await lost('a', -1);
      await clock.advance(WINDOW_MS - 1);
      expect(givenUp).to.deep.equal([]);
      await clock.advance(1_000);
      expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
      await reconciler.stop();
    });
  }

  it('that were lost before the process began are left a whole window from then on', async () => {
    const { clock, givenUp, lost, reconciler } = world({});
    await lost('a', -10 * MINUTE);
    await clock.advance(WINDOW_MS - 1);
    expect(givenUp).to.deep.equal([]);
    await clock.advance(1_000);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    await reconciler.stop();
  });

  it('are given up in one round, of all channels', async () => {
    const { clock, dueTimes, givenUp, lost, reconciler } = world({});
    for (const lane of ['l1', 'l2', 'l3']) {
      for (let n = 0; n < 20; n += 1) await lost(`${lane}-${n}`, 0, lane);
    }
    await clock.advance(WINDOW_MS + 999);
    expect(givenUp).to.have.length(60);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.deep.equal([]);
    await reconciler.stop();
  });

  it('are held by the one that gives them up, also where it waited for webhooks that will be read again', async () => {
    const slow = deferred();
    const { clock, dueTimes, givenUp, lost, reconciler, answers } = world({
      toReadAgain: () => Promise.resolve(1),
    });
    await lost('a', 0);
    answers.wait = slow.promise;
    await clock.advance(3 * MINUTE);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    // Another process polls meanwhile: the claim outlasts the wait for webhooks.
    await clock.advance(MINUTE);
    const claim = { queue: RECONCILE_QUEUE, lane: 'l', now: clock.now(), limit: 1, leaseMs: 1 };
    expect(await dueTimes.claim(claim)).to.deep.equal([]);
    slow.resolve();
    await clock.advance(1_000);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.deep.equal([]);
    await reconciler.stop();
  });

  it('are given up when their window ends, to the millisecond, as what followed from their acceptance', async () => {
    const { clock, givenUp, openUntil, contexts, lost, reconciler } = world({});
    await lost('a', 10_000);
    openUntil.set('a', clock.now() + 10_000);
    await clock.advance(9_999);
    expect(givenUp).to.deep.equal([]);
    await clock.advance(1);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    expect(contexts).to.deep.equal([
      {
        company: 'c',
        actor: 'worker:sending',
        commandId: 'e/give-up/1',
        correlationId: 'trace',
        causationId: 'e',
        subject: 's',
      },
    ]);
    await reconciler.stop();
  });

  it('are finished with where their outcome is known by now, however long it was to be waited for', async () => {
    const { clock, dueTimes, givenUp, openUntil, phases, lost, reconciler } = world({});
    await lost('a', 10_000);
    openUntil.set('a', clock.now() + 10 * MINUTE);
    phases.set('a', 'failed');
    await clock.advance(10_000);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    expect(dueTimes.rows(RECONCILE_QUEUE)).to.deep.equal([]);
    await reconciler.stop();
  });

  it('are put off once by a store that was away, not each time after', async () => {
    let faults = 1;
    const { clock, givenUp, lost, reconciler } = world({
      untilRead: () =>
        (faults -= 1) >= 0 ? Promise.reject(new StoreUnavailable('gone')) : Promise.resolve(true),
    });
    await lost('a', 10_000);
    await clock.advance(10_000 + MINUTE);
    expect(givenUp).to.deep.equal(['GiveUpReconciling a']);
    await lost('b', 1_000);
    await clock.advance(1_000 + 1_000);
    expect(givenUp.slice(1), 'at once, now that the stores are there').to.deep.equal(['GiveUpReconciling b']);
    await reconciler.stop();
  });

  it('ask for what WhatsApp told only once a window has ended', async () => {
    let asked = 0;
    const { clock, lost, reconciler } = world({
      untilRead: () => {
        asked += 1;
        return Promise.resolve(true);
      },
    });
    await clock.advance(MINUTE);
    await lost('a', 10_000);
    await clock.advance(9_999);
    expect(asked).to.equal(0);
    await clock.advance(1);
    expect(asked).to.equal(1);
    await reconciler.stop();
  });

  it('of the other channels are left to the next process by one that ends in the middle', async () => {
    const slow = deferred();
    const { clock, dueTimes, lost, reconciler, answers } = world({});
    await lost('a', 0, 'l1');
    await lost('b', 0, 'l2');
    answers.wait = slow.promise;
    await clock.advance(WINDOW_MS + 999);
    const stopped = reconciler.stop();
    slow.resolve();
    await stopped;
    expect(dueTimes.rows(RECONCILE_QUEUE).map(({ id }) => id)).to.deep.equal(['b']);
  });
});
