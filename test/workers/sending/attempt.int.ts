/** One call to the provider, in spite of failing stores and other processes. */
import { expect } from 'chai';
import { createExecutor } from '../../../application/execute.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import type { SendOutcome } from '../../../ports/provider.js';
import { conformsAt, RECIPIENT_PACE } from '../../../domain/policies/gcra.js';
import { operationStream } from '../../../domain/streams.js';
import { claimMs } from '../../../workers/sending/attempt.js';
import { recipientTat } from '../../../workers/sending/recent.js';
import type { SendDisposition } from '../../../workers/sending/record.js';
import { deferred, failure, gate } from '../../conformance/support.js';
import { disconnectChannel, makeWorld, restrictAccount } from '../../support/api/world.js';
import { accepted, rejected } from '../../support/fakes/provider.js';
import { answerIsLost, away, neverArrives } from '../../support/fakes/faulty-store.js';
import { attempt } from '../../support/sends/attempt.js';
import { sends } from './harness.js';

describe('one attempt to send', () => {
  const { api, app, world, given, when, then } = sends();

  it('goes well: begun, called, recorded', async () => {
    const send = await given.accepted();
    expect(await when.claimed(send, 1)).to.include({ kind: 'done' });
    await then.is(send, { events: ['SendAccepted', 'SendAttempted', 'SendSucceeded'], calls: 1 });
  });

  it('is made once by two claims of one row, the older of which wakes late', async () => {
    for (const during of [true, false]) {
      const send = await given.accepted();
      const asleep = gate();
      const talking = deferred<SendOutcome>();
      const before = then.calls();
      const called = deferred();
      given.answer(() => {
        called.resolve();
        return during ? talking.promise : accepted();
      });
      given.faults('SendAttempted', (write) => asleep.pass().then(write));
      const older = when.claimedElsewhere(send, 1);
      await asleep.reached;
      const newer = when.claimedElsewhere(send, 2);
      await (during ? called.promise : newer);
      asleep.open();
      await older;
      talking.resolve(accepted());
      await newer;
      const what = `during the call: ${during}`;
      expect(then.calls() - before, what).to.equal(1);
      await then.is(send, { status: 'succeeded', message: 'sent' }, what);
    }
  });

  it('is left for the time of a claim where another process may be making it', async () => {
    const send = await given.accepted();
    const talking = deferred<SendOutcome>();
    const called = deferred();
    given.answer(() => {
      called.resolve();
      return talking.promise;
    });
    const first = when.claimedElsewhere(send, 1);
    await called.promise;
    const from = app.clock.now();
    const step = await attempt(app, send.operation, { fence: 2, mayBeElsewhere: true });
    expect(step).to.include({ kind: 'again', judged: null });
    if (step.kind === 'again')
      expect(step.at - from).to.be.within(claimMs(app.settings), claimMs(app.settings) + 60_000);
    talking.resolve(accepted());
    await first;
    await then.is(send, { status: 'succeeded', events: ['SendAccepted', 'SendAttempted', 'SendSucceeded'] });
  });

  it('is left alone by a process that remembers it as waiting, when another one has made it', async () => {
    const send = await given.accepted();
    const executor = createExecutor({ ...app, guessMs: 60_000 });
    await executor.recall(operationAggregate, send.operation);
    await when.claimed(send, 1);
    const late = await attempt({ ...app, executor }, send.operation, { fence: 2 });
    expect(late).to.deep.include({ kind: 'done', judged: null });
    await then.is(send, { calls: 1, events: ['SendAccepted', 'SendAttempted', 'SendSucceeded'] });
  });

  it('is begun without a look at its stream where that is remembered', async () => {
    const send = await given.accepted();
    const reads: string[] = [];
    const store = {
      ...app.store,
      read: (...args: Parameters<typeof app.store.read>) => {
        reads.push(args[0]);
        return app.store.read(...args);
      },
    };
    const executor = createExecutor({ ...app, store, guessMs: 60_000 });
    await executor.recall(operationAggregate, send.operation);
    reads.length = 0;
    await attempt({ ...app, store, executor }, send.operation);
    // Once by the test itself, which reads the pointer.
    expect(reads.filter((stream) => stream === operationStream.toName(send.operation))).to.have.length(1);
    await then.is(send, { calls: 1, status: 'succeeded' });
  });

  it('is resumed by the process that began it and did not hear so, exactly once', async () => {
    const send = await given.accepted();
    given.faults('SendAttempted', answerIsLost);
    expect((await failure(when.claimed(send, 1))).name).to.equal('StoreUnavailable');
    expect(then.calls()).to.equal(0);
    await when.claimed(send, 2);
    expect(then.calls()).to.equal(1);
    await when.claimed(send, 3);
    await then.is(send, { calls: 1, events: ['SendAccepted', 'SendAttempted', 'SendSucceeded'] });
  });

  it('is begun again when nothing of it was stored', async () => {
    const send = await given.accepted();
    given.faults('SendAttempted', neverArrives);
    await failure(when.claimed(send, 1));
    await when.claimed(send, 2);
    await then.is(send, { calls: 1, status: 'succeeded' });
  });

  it('is made once when its beginning is stored after all, in the middle of the next claim', async () => {
    const send = await given.accepted();
    let lateWrite: (() => Promise<unknown>) | undefined;
    given.faults(
      'SendAttempted',
      async (write) => {
        lateWrite = write;
        return away();
      },
      async (write) => {
        await lateWrite!();
        return write();
      },
    );
    await failure(when.claimed(send, 1));
    await when.claimed(send, 2);
    await then.is(send, { calls: 1, events: ['SendAccepted', 'SendAttempted', 'SendSucceeded'] });
  });

  it('is never made by another process than the one that began it, which may begin anew', async () => {
    const send = await given.accepted();
    given.faults('SendAttempted', answerIsLost);
    await failure(when.claimed(send, 1));
    expect((await when.claimedElsewhere(send, 2)).kind).to.equal('reconcile');
    expect(then.calls()).to.equal(0);
    // The first process claims again, and knows that the provider was not called.
    expect((await when.claimed(send, 3)).kind).to.equal('again');
    expect((await when.claimedElsewhere(send, 4)).kind).to.equal('done');
    await then.is(send, {
      calls: 1,
      events: [
        'SendAccepted',
        'SendAttempted',
        'SendOutcomeUnknown',
        'SendPostponed',
        'SendAttempted',
        'SendSucceeded',
      ],
    });
  });

  it('goes on by itself when the store is back, as long as its process lives', async () => {
    const send = await given.accepted();
    given.processLives();
    given.faults('SendAttempted', answerIsLost);
    given.faults('MessageQueued', neverArrives, neverArrives);
    expect((await when.claimed(send, 1)).kind).to.equal('done');
    await then.is(send, { calls: 1, status: 'succeeded' });
    expect(then.waits()).to.deep.equal([1_000, 1_000]);
  });

  it('that was made is not made again: what its process remembered to have begun is forgotten by then', async () => {
    const send = await given.accepted();
    given.processLives();
    given.faults('SendAttempted', neverArrives);
    given.faults('SendSucceeded', async () => {
      given.processEnds();
      given.ahead(60_000);
      return away();
    });
    await failure(when.claimed(send, 1));
    expect((await when.claimed(send, 2)).kind).to.equal('reconcile');
    await then.is(send, { calls: 1, events: ['SendAccepted', 'SendAttempted', 'SendOutcomeUnknown'] });
  });

  it('that was put off, which its process did not hear, is begun anew', async () => {
    const send = await given.accepted();
    given.faults('SendAttempted', answerIsLost);
    await failure(when.claimed(send, 1));
    await when.claimedElsewhere(send, 2);
    given.faults('SendPostponed', answerIsLost);
    await failure(when.claimed(send, 3));
    await when.claimed(send, 4);
    await then.is(send, {
      calls: 1,
      events: [
        'SendAccepted',
        'SendAttempted',
        'SendOutcomeUnknown',
        'SendPostponed',
        'SendAttempted',
        'SendSucceeded',
      ],
    });
  });

  it('is not made for an operation that the store does not have', async () => {
    const { operation } = await given.accepted();
    const step = await attempt(app, operation, { operationUuid: app.newId() });
    expect(step).to.deep.equal({ kind: 'done', judged: null });
    expect(then.calls()).to.equal(0);
  });

  it('is not made for an operation that is held: its row is done with', async () => {
    const send = await given.accepted();
    const [first] = await app.store.read(operationStream.toName(send.operation));
    await app.executor.execute(
      operationAggregate,
      send.operation,
      { type: 'HoldSend' },
      {
        company: world.company,
        actor: 'admin',
        commandId: `${send.operation}/hold`,
        correlationId: first!.meta.correlation_id,
        causationId: first!.eventId,
        subject: null,
      },
    );
    expect(await when.claimed(send, 1)).to.deep.equal({ kind: 'done', judged: null });
    await then.is(send, { calls: 0, events: ['SendAccepted', 'SendHeld'] });
  });

  it('that another process has taken over is told of by that one only', async () => {
    const send = await given.accepted();
    given.processLives();
    const talking = deferred<SendOutcome>();
    const called = deferred();
    given.answer(() => {
      called.resolve();
      return talking.promise;
    });
    let other: Promise<SendDisposition> | undefined;
    given.faults('SendAttempted', async () => {
      other = when.claimedElsewhere(send, 2);
      await called.promise;
      return away();
    });
    const from = app.clock.now();
    const step = await when.claimedElsewhere(send, 1);
    if (step.kind !== 'again') throw new Error(`it is ${step.kind}`);
    expect(step.at).to.be.within(from + 1_000, app.clock.now() + 1_000);
    talking.resolve(accepted());
    await other;
    await then.is(send, { calls: 1, events: ['SendAccepted', 'SendAttempted', 'SendSucceeded'] });
  });

  it('is not made by a process that slept until others had given it up', async () => {
    const send = await given.accepted();
    given.processLives();
    given.faults('SendAttempted', async (write) => {
      await write();
      expect((await when.claimedElsewhere(send, 2)).kind).to.equal('reconcile');
      const give = { type: 'GiveUpReconciling', attempt: 1 } as const;
      const [first] = await app.store.read(operationStream.toName(send.operation));
      await app.executor.execute(operationAggregate, send.operation, give, {
        company: world.company,
        actor: 'worker:sending',
        commandId: `${send.operation}/give-up`,
        correlationId: first!.meta.correlation_id,
        causationId: first!.eventId,
        subject: null,
      });
      given.ahead(600_000);
      return write();
    });
    expect((await when.claimed(send, 1)).kind).to.equal('done');
    await then.is(send, { calls: 0, status: 'failed', message: 'failed' });
  });

  it('is made once when its message could not be queued at first', async () => {
    const send = await given.accepted();
    given.faults('MessageQueued', neverArrives, neverArrives);
    await failure(when.claimed(send, 1));
    await failure(when.claimed(send, 2));
    await when.claimed(send, 3);
    await then.is(send, { calls: 1, status: 'succeeded', message: 'sent' });
  });

  it('is made once by two claims of the process that may resume it', async () => {
    const send = await given.accepted();
    const asleep = gate();
    given.faults('MessageQueued', neverArrives, (write) => asleep.pass().then(write));
    await failure(when.claimed(send, 1));
    const older = when.claimed(send, 2);
    await asleep.reached;
    await when.claimed(send, 3);
    asleep.open();
    await older;
    await then.is(send, { calls: 1, status: 'succeeded' });
  });

  it('that was begun but may not go any more fails, and does not stay in the air', async () => {
    const other = await makeWorld(app, 'Outra');
    const send = await given.accepted(other);
    given.faults('MessageQueued', answerIsLost);
    await failure(when.claimed(send, 1));
    await disconnectChannel(app, other, other.channel);
    await when.claimed(send, 2);
    await then.is(send, { calls: 0, status: 'failed', message: 'failed' });
  });

  it('is not made while the account is restricted: it waits when that ends in time', async () => {
    const held = await makeWorld(app, 'Restrita');
    const send = await given.accepted(held);
    const ends = api.app.clock.now() + 60_000;
    const until = new Date(ends).toISOString();
    await restrictAccount(app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', until);
    expect(await when.claimed(send, 1)).to.deep.equal({ kind: 'again', at: ends, judged: null });
    await then.is(send, { status: 'waiting', calls: 0 });
    given.ahead(60_001);
    await when.claimed(send, 2);
    await then.is(send, {
      calls: 1,
      events: ['SendAccepted', 'SendDeferred', 'SendAttempted', 'SendSucceeded'],
    });
  });

  it('that was begun before the restriction waits too, and is made once', async () => {
    const held = await makeWorld(app, 'Restrita');
    const send = await given.accepted(held);
    given.faults('MessageQueued', answerIsLost);
    await failure(when.claimed(send, 1));
    const until = new Date(api.app.clock.now() + 60_000).toISOString();
    await restrictAccount(app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', until);
    expect((await when.claimed(send, 2)).kind).to.equal('again');
    given.ahead(60_001);
    await when.claimed(send, 3);
    await then.is(send, { calls: 1, status: 'succeeded' });
  });

  it('fails, and says why, while the account is restricted for longer or nobody knows how long', async () => {
    for (const until of [null, new Date(api.app.clock.now() + 86_400_000).toISOString()]) {
      const held = await makeWorld(app, 'Restrita');
      const send = await given.accepted(held);
      await restrictAccount(app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', until);
      expect(await when.claimed(send, 1)).to.deep.equal({
        kind: 'done',
        judged: null,
        refused: 'channel_not_connected',
      });
      await then.is(send, { calls: 0, status: 'failed' });
      const { error } = await then.operation(send);
      expect(error?.code).to.equal('channel_not_connected');
      expect(error?.details).to.include({ capability: 'send_text' });
    }
  });

  it('refused for the pace of its recipient holds the next one to them, in whatever process', async () => {
    const send = await given.accepted();
    given.answer(() => rejected(131056));
    const first = await when.claimed(send, 1);
    if (first.kind !== 'again') throw new Error(`it is ${first.kind}`);
    const opensAt = async (now: number): Promise<number> =>
      conformsAt(await recipientTat(app, send.operation, now), RECIPIENT_PACE);
    expect(await opensAt(app.clock.now())).to.equal(first.at);
    expect(await opensAt(first.at + 1)).to.be.at.most(first.at);
    // Also when the next attempt would have come after the window, so that the message failed.
    await given.timeLeft(send, 500);
    const last = await when.claimed(send, 2);
    expect(last.kind).to.equal('done');
    await then.is(send, { status: 'failed' });
    expect(await opensAt(app.clock.now())).to.be.within(app.clock.now() + 3_000, app.clock.now() + 4_000);
  });
});
