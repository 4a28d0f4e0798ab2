/** The sweeper handles sends that have no row, or a row that nobody claims, and leaves the others alone. */
import { expect } from 'chai';
import { exampleIds } from '../../support/examples/example.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import { channelControlsAggregate } from '../../../domain/channel-controls/decide.js';
import { startSweeper } from '../../../workers/sending/sweeper.js';
import { memorySends, WINDOW_MS } from './memory-sends.js';

const YOUNG_MS = 30_000;
const GRACE_MS = 10_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe('the sweeper', () => {
  function world() {
    const w = memorySends();
    const sweeper = startSweeper(w.app);
    /** Writes the operation into the read model. */
    const shown = (uuid: string, status: string, ageMs: number, more: object = {}): Promise<unknown> =>
      w.given.show('operations', uuid, {
        uuid,
        type: 'message.send',
        status,
        created_at: iso(w.clock.now() - ageMs),
        waiting: null,
        ...more,
      });
    return {
      ...w,
      sweeper,
      shown,
      /** Accepted so long ago that the sweeper may just handle it, and without a row. */
      async lost(status = 'queued', more: Partial<SendAsAccepted> = {}): Promise<string> {
        const uuid = await w.given.accepted(more);
        await shown(uuid, status, YOUNG_MS + 1);
        return uuid;
      },
    };
  }

  it('gives a send that has no row one, due now, and shows that it waits for its channel', async () => {
    const w = world();
    const operation = await w.lost();
    expect(await w.sweeper.sweep()).to.equal(1);
    const { deadline } = (await w.state(operation)).accepted!;
    expect(w.rowOf(operation)).to.deep.include({
      queue: 'send',
      lane: exampleIds.channel,
      dueAt: w.clock.now(),
      payload: await w.payloadOf(operation),
    });
    expect(await w.state(operation)).to.include({
      phase: 'waiting',
      waitReason: 'channel_pace',
      deferredUntil: deadline,
    });
    const { event_id, correlation_id, company } = await w.payloadOf(operation);
    expect(w.store.records.at(-1)!.meta).to.include({
      command_id: `${event_id}/defer/sweep`,
      causation_id: event_id,
      correlation_id,
      company,
      actor: 'worker:sending',
    });
    await w.sweeper.stop();
  });

  it('puts marketing into its own lane, and says where an operator has stopped it', async () => {
    const w = world();
    await w.app.executor.execute(
      channelControlsAggregate,
      exampleIds.channel,
      { type: 'ChangeSendingSettings', stopped: 'marketing' },
      w.contextOf(null),
    );
    const marketing = await w.lost('queued', { template_category: 'MARKETING' });
    const service = await w.lost();
    expect(await w.sweeper.sweep()).to.equal(2);
    expect(w.rowOf(marketing)!.lane).to.equal(`${exampleIds.channel}/marketing`);
    expect((await w.state(marketing)).waitReason).to.equal('channel_stopped');
    expect((await w.state(service)).waitReason).to.equal('channel_pace');
  });

  it('leaves young ones alone, and whatever came after them', async () => {
    const w = world();
    const young = await w.given.accepted();
    await w.shown(young, 'queued', YOUNG_MS);
    expect(await w.sweeper.sweep()).to.equal(0);
    expect([w.rowOf(young), (await w.state(young)).phase]).to.deep.equal([undefined, 'queued']);
  });

  it('leaves alone what waits for an operator, and what is no send', async () => {
    const w = world();
    const held = await w.given.accepted();
    await w.shown(held, 'waiting', YOUNG_MS + 1, { waiting: { reason: 'history_restored' } });
    const flow = await w.given.accepted();
    await w.shown(flow, 'queued', YOUNG_MS + 1, { type: 'flow.execute' });
    const waiting = await w.lost('waiting');
    await w.shown(waiting, 'waiting', YOUNG_MS + 1, { waiting: { reason: 'channel_pace' } });
    expect(await w.sweeper.sweep()).to.equal(1);
    expect([w.rowOf(held), w.rowOf(flow)]).to.deep.equal([undefined, undefined]);
    expect(w.rowOf(waiting)).not.to.equal(undefined);
  });

  for (const queue of ['send', 'reconcile']) {
    it(`leaves alone what has a row in the queue ${queue}`, async () => {
      const w = world();
      const operations = [await w.lost('processing'), await w.lost('waiting')];
      const row = { queue, lane: 'l', dueAt: 7, payload: {} };
      await w.dueTimes.schedule(operations.map((id) => ({ ...row, id })));
      expect(await w.sweeper.sweep()).to.equal(0);
      for (const operation of operations) expect((await w.state(operation)).phase).to.equal('queued');
      await w.dueTimes.cancel(queue, [operations[0]!]);
      expect(await w.sweeper.sweep()).to.equal(1);
      expect(w.rowOf(operations[0]!)!.dueAt).to.equal(w.clock.now());
    });
  }

  it('shows that one waits which has a row, and is not shown to wait yet', async () => {
    const w = world();
    const operation = await w.lost();
    await w.dueTimes.schedule([{ queue: 'send', id: operation, lane: 'l', dueAt: 7, payload: {} }]);
    expect(await w.sweeper.sweep()).to.equal(1);
    expect((await w.state(operation)).phase).to.equal('waiting');
    expect(w.rowOf(operation), 'its row stays').to.include({ lane: 'l', dueAt: 7 });
  });

  it('ends in time what nobody comes to, ten seconds after its window, and its message', async () => {
    const w = world();
    await w.sweeper.stop();
    const operation = await w.lost('waiting');
    await w.given.begun(operation);
    await w.given.happened(operation, {
      type: 'RecordOutcome',
      attempt: 1,
      outcome: {
        kind: 'postponed',
        reason: 'provider_unreachable',
        providerCode: null,
        retryAt: iso(w.clock.now() + 1_000),
      },
    });
    await w.dueTimes.schedule([{ queue: 'send', id: operation, lane: 'l', dueAt: 7, payload: {} }]);
    await w.clock.advance(WINDOW_MS + GRACE_MS);
    await w.shown(operation, 'waiting', WINDOW_MS + GRACE_MS);
    expect(await w.sweeper.sweep(), 'its row is for it until then').to.equal(0);
    await w.shown(operation, 'waiting', WINDOW_MS + GRACE_MS + 1);
    await w.sweeper.sweep();
    expect((await w.state(operation)).phase, 'its worker still may').to.equal('waiting');
    await w.clock.advance(1);
    await w.sweeper.sweep();
    expect(await w.state(operation)).to.include({ phase: 'failed', failureCode: 'send_pacing_timeout' });
    expect((await w.message(operation)).status).to.equal('failed');
    const { data, meta } = await w.last(operation);
    const { event_id, correlation_id, company } = await w.payloadOf(operation);
    expect(meta).to.include({
      command_id: `${event_id}/expire`,
      causation_id: event_id,
      correlation_id,
      company,
      actor: 'worker:sending',
    });
    expect(data['details']).to.include({ last_reason: 'provider_unreachable' });
  });

  it('gives back the slot of what it ends, and no row', async () => {
    const w = world();
    await w.sweeper.stop();
    const operation = await w.lost('queued', {
      message_type: 'template',
      content: { name: 'pedido', language: 'pt_BR' },
      template_uuid: exampleIds.template,
      template_category: 'UTILITY',
    });
    await w.takeSlot(operation);
    await w.clock.advance(WINDOW_MS + GRACE_MS + 1);
    expect(await w.sweeper.sweep()).to.equal(1);
    expect((await w.state(operation)).phase).to.equal('failed');
    expect(await w.slotsOf(operation)).to.deep.equal([]);
    expect(w.rowOf(operation)).to.equal(undefined);
  });

  it('does not end what was begun, however late', async () => {
    const w = world();
    await w.sweeper.stop();
    const operation = await w.lost('processing');
    await w.given.begun(operation);
    await w.clock.advance(WINDOW_MS + GRACE_MS + 1);
    expect(await w.sweeper.sweep()).to.equal(1);
    expect((await w.state(operation)).phase).to.equal('processing');
    expect(w.rowOf(operation)!.dueAt).to.equal(w.clock.now());
  });

  for (const [reason, then] of [
    ['recipient_pace', 'then'],
    ['channel_restricted', 'then'],
    ['channel_pace', 'now'],
    ['channel_stopped', 'now'],
  ] as const) {
    it(`has one that waits by ${reason} come back ${then}`, async () => {
      const w = world();
      const operation = await w.lost('waiting');
      const until = w.clock.now() + 20_000;
      await w.given.happened(operation, { type: 'DeferSend', reason, until: iso(until) });
      await w.sweeper.sweep();
      expect(w.rowOf(operation)!.dueAt).to.equal(then === 'then' ? until : w.clock.now());
      expect((await w.state(operation)).waitReason, 'it is shown to wait already').to.equal(reason);
    });
  }

  it('has one that was attempted since come back now', async () => {
    const w = world();
    const operation = await w.lost('processing');
    const until = iso(w.clock.now() + 20_000);
    await w.given.happened(operation, { type: 'DeferSend', reason: 'recipient_pace', until });
    await w.given.begun(operation);
    await w.sweeper.sweep();
    expect(w.rowOf(operation)!.dueAt).to.equal(w.clock.now());
  });

  it('gives no row to what has ended or is held by now, nor to what nobody accepted', async () => {
    const w = world();
    const [ended, held] = [await w.lost(), await w.lost()];
    const flow = w.app.newId();
    await w.given.happened(ended, { type: 'FailSend', code: 'x', message: 'A reason.', details: {} });
    await w.given.happened(held, { type: 'HoldSend' });
    const { flowAccepted } = operationEventExamples;
    await w.app.executor.execute(
      operationAggregate,
      flow,
      { type: 'AcceptFlow', data: flowAccepted.data },
      w.contextOf(exampleIds.subject),
    );
    await w.shown(flow, 'queued', YOUNG_MS + 1);
    expect(await w.sweeper.sweep()).to.equal(3);
    for (const id of [ended, held, flow]) expect(w.rowOf(id)).to.equal(undefined);
    expect((await w.state(held)).phase).to.equal('held');
  });

  it('looks through all pages', async () => {
    const w = world();
    for (let n = 0; n < 200; n += 1) {
      const uuid = `row-${String(n).padStart(3, '0')}`;
      await w.shown(uuid, 'processing', YOUNG_MS + 2);
      await w.dueTimes.schedule([{ queue: 'send', id: uuid, lane: 'l', dueAt: 7, payload: {} }]);
    }
    const operation = await w.lost('processing');
    let asked = 0;
    expect(await w.sweeper.sweep(() => (asked += 1) > 10)).to.equal(1);
    expect(w.rowOf(operation)).not.to.equal(undefined);
  });

  it('ends between two pieces of work where it is to stop, and lets others have their turn', async () => {
    const w = world();
    const operations = [await w.lost(), await w.lost(), await w.lost('processing')];
    expect(await w.sweeper.sweep(() => true)).to.equal(0);
    let asked = 0;
    expect(await w.sweeper.sweep(() => (asked += 1) > 1)).to.equal(1);
    expect(operations.filter((id) => w.rowOf(id) !== undefined)).to.have.length(1);
    let stopped = false;
    setImmediate(() => (stopped = true));
    expect(await w.sweeper.sweep(() => stopped)).to.equal(2);
    expect(w.rowOf(operations[2]!)).to.equal(undefined);
  });

  it('looks once a minute', async () => {
    const w = world();
    const operation = await w.lost();
    await w.clock.advance(59_999);
    expect(w.rowOf(operation)).to.equal(undefined);
    await w.clock.advance(1);
    expect(w.rowOf(operation)).not.to.equal(undefined);
    await w.sweeper.stop();
    expect(w.clock.pending()).to.equal(0);
  });
});
