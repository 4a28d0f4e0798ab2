/** The outcome of a call, in every way that it may be learned, and the state that is left when it is not. */
import { expect } from 'chai';
import { RECONCILE_QUEUE } from '../../../application/send/queue.js';
import type { SendOutcome } from '../../../ports/provider.js';
import { deferred, failure } from '../../conformance/support.js';
import { accepted, rejected } from '../../support/fakes/provider.js';
import { answerIsLost, away, neverArrives, type Fault } from '../../support/fakes/faulty-store.js';
import { sends, type Send } from './harness.js';

describe('the outcome of an attempt', () => {
  const { app, given, when, then } = sends();

  it('is recorded although the store is away for a while', async () => {
    const send = await given.accepted();
    given.faults('SendSucceeded', neverArrives, answerIsLost, neverArrives);
    given.faults('MessageAccepted', neverArrives, answerIsLost);
    await when.claimed(send, 1);
    await then.is(send, { calls: 1, status: 'succeeded', message: 'sent' });
  });

  it('is unknown, never repeated, when its process is to end before its outcome could be recorded', async () => {
    const send = await given.accepted();
    given.faults('SendSucceeded', async () => {
      given.ahead(60_000);
      return away();
    });
    await failure(when.claimed(send, 1));
    expect((await when.claimed(send, 2)).kind).to.equal('reconcile');
    expect(then.calls()).to.equal(1);
  });

  /** The store is unavailable for several windows from the answer on; meanwhile another process finds the row. */
  const awayForWindows = (send: Send): Fault[] =>
    Array.from({ length: 5 }, (_, n) => async () => {
      given.ahead((n + 1) * app.settings.reconcileWindowMs);
      if (n === 1) {
        const step = await when.claimedElsewhere(send, 2);
        if (step.kind !== 'reconcile') throw new Error(`it is ${step.kind}`);
        const lane = `waits-${send.operation}`;
        const entry = { queue: RECONCILE_QUEUE, id: send.operation, lane, dueAt: step.until, payload: {} };
        await app.dueTimes.schedule([entry]);
      }
      return away();
    });
  const givenUpAt = async (send: Send): Promise<number> => {
    const lanes = await app.dueTimes.lanes(RECONCILE_QUEUE, app.clock.now());
    return lanes.find(({ lane }) => lane === `waits-${send.operation}`)!.nextDueAt;
  };

  it('is recorded by the process that knows its outcome, however long the store is away', async () => {
    const send = await given.accepted();
    given.processLives();
    given.faults('SendSucceeded', ...awayForWindows(send));
    expect((await when.claimed(send, 1)).kind).to.equal('done');
    await then.is(send, { calls: 1, status: 'succeeded', message: 'sent' });
    // Another process that waits for a status has not given the send up in the meantime.
    expect(await givenUpAt(send)).to.be.greaterThan(app.clock.now());
  });

  it('of a send refused for now has it made again although others held its outcome for lost', async () => {
    const send = await given.accepted();
    given.processLives();
    given.answer(() => rejected(130429, { httpStatus: 429 }));
    given.faults('SendPostponed', async () => {
      expect((await when.claimedElsewhere(send, 2)).kind).to.equal('reconcile');
      return away();
    });
    expect((await when.claimed(send, 1)).kind).to.equal('again');
    await then.is(send, { status: 'waiting' });
    given.answer(() => accepted());
    await when.claimed(send, 3);
    await then.is(send, { calls: 2, status: 'succeeded' });
  });

  it('of a send whose next try would come too late ends its message too, also when that answer was lost', async () => {
    const send = await given.accepted();
    given.answer(() => rejected(130429, { httpStatus: 429 }));
    await given.timeLeft(send, 200);
    given.faults('SendFailed', answerIsLost);
    expect((await when.claimed(send, 1)).kind).to.equal('done');
    await then.is(send, { status: 'failed', message: 'failed' });
  });

  it('that others hold for lost is left to the status webhooks until the same moment by all', async () => {
    const send = await given.accepted();
    given.faults('SendAttempted', answerIsLost);
    await failure(when.claimed(send, 1));
    const from = app.clock.now();
    const step = await when.claimedElsewhere(send, 2);
    if (step.kind !== 'reconcile') throw new Error(`it is ${step.kind}`);
    const { reconcileWindowMs } = app.settings;
    expect(step.until).to.be.within(from + reconcileWindowMs, app.clock.now() + reconcileWindowMs);
    expect(await when.claimedElsewhere(send, 3)).to.deep.equal(step);
    await then.is(send, { calls: 0, events: ['SendAccepted', 'SendAttempted', 'SendOutcomeUnknown'] });
  });

  it('that is recorded just before it is held for lost ends the send', async () => {
    const send = await given.accepted();
    const talking = deferred<SendOutcome>();
    const called = deferred();
    given.answer(() => {
      called.resolve();
      return talking.promise;
    });
    const first = when.claimed(send, 1);
    await called.promise;
    given.faults('SendOutcomeUnknown', async (write) => {
      talking.resolve(accepted());
      await first;
      return write();
    });
    expect(await when.claimedElsewhere(send, 2)).to.deep.equal({ kind: 'done', judged: null });
    await then.is(send, { calls: 1, status: 'succeeded' });
  });
});
