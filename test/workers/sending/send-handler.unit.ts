/** Where a claimed row goes once its attempt is over, which other sends have to wait, and the line of the log. */
import { expect } from 'chai';
import { exampleIds } from '../../support/examples/example.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { nextSendAt, channelPace } from '../../../workers/sending/lane.js';
import { deferred } from '../../conformance/support.js';
import { accepted, rejected } from '../../support/fakes/provider.js';
import { RECONCILE_MS, WINDOW_MS } from './memory-sends.js';
import { INTERVAL_MS, memoryTurns } from './memory-turns.js';

describe('a claimed row', () => {
  it('that was sent is over, with a line of the log that says nothing of whom it was for', async () => {
    const w = await memoryTurns();
    const operation = await w.given.accepted();
    const entry = await w.claimed(operation);
    const before = w.clock.monotonic();
    await w.take(entry);
    const { correlation_id, event_id, company } = await w.payloadOf(operation);
    expect(w.rowOf(operation)).to.equal(undefined);
    expect(w.provider.sent.map(({ opaque }) => opaque)).to.deep.equal([operation]);
    expect([w.lane.waiting.service.backlog, w.lane.waiting.marketing.backlog]).to.deep.equal([2, 3]);
    expect([w.heard, w.ready, w.steps]).to.deep.equal([[], [], [['done', event_id]]]);
    expect(w.lane.tat, 'it costs the channel its interval').to.equal(before + INTERVAL_MS);
    expect(w.log).to.deep.equal([
      {
        level: 'info',
        message: 'send',
        fields: {
          operation_uuid: operation,
          correlation_id,
          event_id,
          company,
          step: 'done',
          result: 'accepted',
          error_code: undefined,
          provider_code: undefined,
        },
      },
    ]);
    const attempted = w.store.records.find(({ type }) => type === 'SendAttempted')!;
    expect(attempted.data).to.include({ channel_interval_ms: INTERVAL_MS });
    expect(attempted.meta.command_id).to.equal(`${event_id}/attempt/1/${entry.fence}`);
  });

  it('that ends is one less of its own kind, and never less than none', async () => {
    const w = await memoryTurns();
    await w.take(await w.claimed(await w.given.accepted()), 'marketing');
    expect([w.lane.waiting.service.backlog, w.lane.waiting.marketing.backlog]).to.deep.equal([3, 2]);
    w.lane.waiting.service.backlog = 0;
    await w.sent();
    expect(w.lane.waiting.service.backlog).to.equal(0);
  });

  it('that WhatsApp refused for good is over, and its line names both codes', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => rejected(131_026);
    const operation = await w.sent();
    expect(w.rowOf(operation)).to.equal(undefined);
    expect(w.lines('info')[0]!.fields).to.include({
      step: 'done',
      result: 'failed',
      error_code: 'recipient_unreachable',
      provider_code: 131_026,
    });
    expect([w.restMs(), w.lane.rate.cutAt]).to.deep.equal([0, -Infinity]);
  });

  it('that was refused before the call is over, and its line says why', async () => {
    const w = await memoryTurns();
    await w.given.channel({ status: 'disconnected' });
    await w.sent();
    expect(w.provider.calls).to.equal(0);
    const { fields } = w.lines('info')[0]!;
    expect(fields).to.include({ step: 'done', error_code: 'channel_not_connected' });
    expect(fields).to.include({ result: undefined, provider_code: undefined });
  });

  it('whose outcome was lost has a row in the other queue before it leaves its own', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => ({ kind: 'unknown', reason: 'the connection was cut' });
    const order: string[] = [];
    const inner = { ...w.dueTimes };
    w.dueTimes.schedule = (entries) => {
      order.push(`schedule ${entries[0]!.queue}`);
      return inner.schedule(entries);
    };
    w.dueTimes.settle = (settlements) => {
      order.push(`settle ${settlements[0]!.queue}`);
      return inner.settle(settlements);
    };
    const operation = await w.sent();
    expect(order.slice(1)).to.deep.equal(['schedule reconcile', 'settle send']);
    const { lane, dueAt, payload } = w.lostRowOf(operation)!;
    expect([lane, dueAt]).to.deep.equal([exampleIds.channel, w.clock.now() + RECONCILE_MS]);
    expect(payload).to.deep.equal(await w.payloadOf(operation));
    expect(w.rowOf(operation)).to.equal(undefined);
    expect(w.lane.waiting.service.backlog).to.equal(2);
    expect(w.steps.map(([kind]) => kind)).to.deep.equal(['reconcile']);
    expect(w.lines('info')[0]!.fields).to.include({ step: 'reconcile', result: 'unknown' });
    expect(w.lines('info')[0]!.fields).to.include({ error_code: undefined, provider_code: undefined });
  });

  it('for which the number was too quick comes back, and the channel rests and goes at half its pace', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => rejected(130_429, { retryAfterSeconds: 20 });
    const operation = await w.sent();
    const again = w.clock.now() + 20_000;
    expect(w.heard).to.deep.equal([[w.lane, 'service', again]]);
    expect(w.rowOf(operation)).to.include({ dueAt: again, claims: 1 });
    expect(w.lane.rate).to.include({ perSecond: 10, cutAt: w.clock.monotonic() });
    expect(nextSendAt(w.lane, channelPace(10))).to.equal(w.clock.monotonic() + 20_000);
    expect(w.lane.waiting.service.backlog).to.equal(3);
    expect(w.lines('info')[0]!.fields).to.include({
      step: 'again',
      result: 'postponed',
      provider_code: 130_429,
      error_code: undefined,
    });
  });

  for (const [what, answer, restMs] of [
    ['WhatsApp was not reached', { kind: 'not_sent', reason: 'refused' }, 1_000],
    ['the app was too quick', rejected(4, { retryAfterSeconds: 30 }), 60_000],
    ['the account was too quick', rejected(80_007, { retryAfterSeconds: 30 }), 60_000],
    ['only this message is to be tried later', rejected(131_000, { retryAfterSeconds: 30 }), 0],
  ] as const) {
    it(`rests its channel for ${restMs / 1000} s, which keeps its pace, where ${what}`, async () => {
      const w = await memoryTurns();
      w.provider.answer = () => answer;
      await w.sent();
      expect([w.restMs(), w.lane.rate.cutAt, w.lane.rate.perSecond]).to.deep.equal([restMs, -Infinity, 20]);
    });
  }

  it('that failed on our side comes back a second later, and the log names it', async () => {
    const w = await memoryTurns();
    const fault = new Error('a fault of ours');
    w.provider.answer = () => Promise.reject(fault);
    const operation = await w.sent();
    const { correlation_id, event_id } = await w.payloadOf(operation);
    expect(w.log).to.deep.equal([
      {
        level: 'error',
        message: 'sending failed on our side; it is tried again',
        fields: { err: fault, operation_uuid: operation, correlation_id, event_id },
      },
    ]);
    const again = w.clock.now() + 1_000;
    expect(w.rowOf(operation)).to.include({ dueAt: again });
    expect([w.heard, w.steps]).to.deep.equal([[[w.lane, 'service', again]], []]);
    expect(w.lane.waiting.service.backlog).to.equal(3);
  });

  it('that can not be settled either is left to the end of its claim', async () => {
    const w = await memoryTurns();
    w.dueTimes.settle = () => Promise.reject(new StoreUnavailable('gone'));
    const operation = await w.sent();
    expect(w.rowOf(operation)).to.include({ claims: 1 });
    expect(w.lines('error')).to.have.length(1);
    expect(w.lines('info')).to.deep.equal([]);
  });

  it('that another process took and put away meanwhile is scheduled anew where it has to come back', async () => {
    const w = await memoryTurns();
    w.provider.answer = async () => {
      await w.dueTimes.cancel('send', [operation]);
      return rejected(131_000, { retryAfterSeconds: 30 });
    };
    const operation = await w.given.accepted();
    await w.take(await w.claimed(operation));
    expect(w.rowOf(operation)).to.include({ dueAt: w.clock.now() + 30_000, lane: exampleIds.channel });
    w.provider.answer = async () => {
      await w.dueTimes.cancel('send', [over]);
      return accepted();
    };
    const over = await w.given.accepted();
    await w.take(await w.claimed(over));
    expect(w.rowOf(over)).to.equal(undefined);
  });

  it('that is claimed again while it is worked on is settled as it was claimed last, and called once', async () => {
    const w = await memoryTurns();
    const slow = deferred();
    w.provider.answer = () => slow.promise.then(() => accepted());
    const operation = await w.given.accepted();
    const taken = w.take(await w.claimed(operation));
    await w.clock.advance(WINDOW_MS);
    await w.take(await w.claimed(operation));
    expect(w.rowOf(operation)).to.include({ claims: 2 });
    slow.resolve();
    await taken;
    expect(w.rowOf(operation)).to.equal(undefined);
    expect(w.provider.calls).to.equal(1);
    await w.take(await w.claimed(operation));
    expect(w.rowOf(operation), 'and is no longer worked on then').to.equal(undefined);
  });

  it('of a channel that an operator stopped after it was claimed goes back as it was', async () => {
    const w = await memoryTurns();
    w.lane.facts = { ...w.lane.facts, stopped: 'marketing' };
    const operation = await w.given.accepted();
    const entry = await w.claimed(operation);
    await w.take(entry, 'marketing');
    expect(w.provider.calls).to.equal(0);
    expect(w.heard).to.deep.equal([[w.lane, 'marketing', entry.dueAt]]);
    expect(w.rowOf(operation)).to.include({ dueAt: entry.dueAt, heldUntil: 0 });
    expect([w.log, w.steps]).to.deep.equal([[], []]);
    await w.sent();
    expect(w.provider.calls, 'service messages go').to.equal(1);
  });

  it('that can not be put back is named', async () => {
    const w = await memoryTurns();
    w.lane.facts = { ...w.lane.facts, stopped: 'everything' };
    const gone = new StoreUnavailable('gone');
    w.dueTimes.settle = () => Promise.reject(gone);
    const operation = await w.sent();
    expect(w.log).to.deep.equal([
      {
        level: 'warn',
        message: 'a send could not be put back',
        fields: { err: gone, operation_uuid: operation },
      },
    ]);
  });

  it('of a process that is to end is not called, and goes back as it was', async () => {
    const w = await memoryTurns();
    w.end();
    const operation = await w.given.accepted();
    const entry = await w.claimed(operation);
    await w.clock.advance(500);
    await w.take(entry);
    expect(w.provider.calls).to.equal(0);
    expect(w.rowOf(operation)).to.include({ dueAt: entry.dueAt });
    expect(await w.events(operation)).to.deep.equal(['SendAccepted']);
  });
});
