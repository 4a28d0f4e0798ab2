/** A claimed row waits for its person's pace, for another row before it, and at most until the end of its window. */
import { expect } from 'chai';
import { exampleIds } from '../../support/examples/example.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { conversationId } from '../../../domain/conversation/decide.js';
import { operationStream } from '../../../domain/streams.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { deferred } from '../../conformance/support.js';
import { turns as loopTurns } from '../../support/fakes/manual-clock.js';
import { neverArrives } from '../../support/fakes/faulty-store.js';
import { accepted, rejected } from '../../support/fakes/provider.js';
import { WINDOW_MS } from './memory-sends.js';
import { ANA, INTERVAL_MS, memoryTurns, type MemoryTurns } from './memory-turns.js';

describe('a claimed row that waits', () => {
  it('holds its person back where the number was too quick for one person, and not the channel', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => rejected(131_056, { retryAfterSeconds: 20 });
    await w.sent(ANA);
    expect(w.restMs()).to.equal(0);
    w.provider.answer = () => accepted();
    const { tat } = w.lane;
    const operation = await w.sent(ANA);
    const again = w.clock.now() + 20_000;
    expect(w.provider.calls, 'the second one waits').to.equal(1);
    expect(w.lane.tat, 'and costs the channel nothing').to.equal(tat);
    expect(w.heard.at(-1)).to.deep.equal([w.lane, 'service', again]);
    expect(w.rowOf(operation)).to.include({ dueAt: again });
    expect(await w.state(operation)).to.include({
      phase: 'waiting',
      waitReason: 'recipient_pace',
      deferredUntil: new Date(again).toISOString(),
    });
    const { event_id, correlation_id, company } = await w.payloadOf(operation);
    expect(w.store.records.findLast(({ type }) => type === 'SendDeferred')!.meta).to.include({
      command_id: `${event_id}/defer/1`,
      correlation_id,
      causation_id: event_id,
      company,
      actor: 'worker:sending',
    });
    expect(w.lines('info'), 'it was no attempt').to.have.length(1);
    await w.sent();
    expect(w.provider.calls, 'somebody else does not wait').to.equal(2);
  });

  it('waits for its person until its window has ended, at most', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => rejected(131_056, { retryAfterSeconds: 20 });
    await w.sent(ANA);
    const operation = await w.given.accepted({
      ...ANA,
      deadline: new Date(w.clock.now() + 5_000).toISOString(),
    });
    await w.take(await w.claimed(operation));
    expect(w.rowOf(operation)).to.include({ dueAt: w.clock.now() + 5_001 });
  });

  it('keeps what is accepted later for its person behind it while it waits', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => rejected(131_056, { retryAfterSeconds: 20 });
    const first = await w.sent(ANA);
    const again = w.rowOf(first)!.dueAt;
    await w.sent(ANA);
    await w.clock.advance(1_000);
    const later = await w.sent(ANA);
    expect(w.rowOf(later)).to.include({ dueAt: again });
    expect((await w.state(later)).phase, 'nobody has looked at it').to.equal('queued');
    expect(w.provider.calls).to.equal(1);
  });

  it('comes back a second later where it could not be shown to wait, which the log says', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => rejected(131_056, { retryAfterSeconds: 20 });
    await w.sent(ANA);
    w.given.faults('SendDeferred', neverArrives);
    const operation = await w.sent(ANA);
    expect(w.rowOf(operation)).to.include({ dueAt: w.clock.now() + 1_000 });
    expect(w.heard.at(-1)).to.deep.equal([w.lane, 'service', w.clock.now() + 1_000]);
    const [line] = w.lines('error');
    expect([line!.message, line!.fields['operation_uuid']]).to.deep.equal([
      'deferring a send failed',
      operation,
    ]);
    expect(line!.fields['err']).to.be.instanceOf(StoreUnavailable);
  });

  it('that can not be put off is left to the end of its claim', async () => {
    const w = await memoryTurns();
    w.provider.answer = () => rejected(131_056, { retryAfterSeconds: 20 });
    await w.sent(ANA);
    w.dueTimes.settle = () => Promise.reject(new StoreUnavailable('gone'));
    const operation = await w.sent(ANA);
    expect(w.lines('error')).to.have.length(1);
    expect(w.rowOf(operation)).to.include({ claims: 1, heldUntil: w.clock.now() + WINDOW_MS });
  });

  describe('to somebody of whom this process knows nothing yet', () => {
    /** Another process has sent them this many messages a moment ago. */
    async function flooded(w: MemoryTurns, count: number) {
      const contactUuid = exampleIds.contact;
      await w.app.executor.execute(
        contactAggregate,
        contactUuid,
        {
          type: 'CreateContact',
          companyUuid: exampleIds.company,
          source: 'api',
          subject: ANA.subject,
          phone: '+5511988887777',
          phoneKey: '5511988887777',
          waUserId: null,
          name: null,
        },
        w.contextOf(ANA.subject),
      );
      await w.given.show('conversations', 'c', {
        contact_uuid: contactUuid,
        channel_uuid: exampleIds.channel,
        ordinal: 0,
        status: 'open',
      });
      for (let n = 0; n < count; n += 1) {
        await w.given.show('messages', `m${n}`, {
          conversation_uuid: conversationId(contactUuid, exampleIds.channel, 0),
          ordered_at: new Date(w.clock.now() - 100).toISOString(),
          position: n,
          direction: 'outbound',
          provider_message_id: `wamid.${n}`,
          operation_uuid: null,
          created_at: new Date(w.clock.now() - 100).toISOString(),
        });
      }
      return () => w.given.accepted({ ...ANA, phone: null, contact_uuid: contactUuid });
    }

    it('asks the history how long they have to be left alone', async () => {
      const w = await memoryTurns({ openedLongAgo: false });
      const accept = await flooded(w, 45);
      const operation = await accept();
      const before = w.clock.monotonic();
      await w.take(await w.claimed(operation));
      expect(w.provider.calls).to.equal(0);
      expect(w.rowOf(operation)).to.include({ dueAt: w.clock.now() + 6_000 });
      expect(w.lane.tat, 'the place in the pace of the channel is used').to.equal(before + INTERVAL_MS);
    });

    it('counts what it sends itself to what was sent before', async () => {
      const w = await memoryTurns({ openedLongAgo: false });
      const accept = await flooded(w, 44);
      await w.take(await w.claimed(await accept()));
      expect(w.provider.calls).to.equal(1);
      const operation = await accept();
      const { tat } = w.lane;
      await w.take(await w.claimed(operation));
      expect(w.provider.calls).to.equal(1);
      expect(w.rowOf(operation)).to.include({ dueAt: w.clock.now() + 6_000 });
      expect(w.lane.tat, 'it is known by now, and costs the channel nothing').to.equal(tat);
    });

    it('asks nothing where nothing of before can matter any more', async () => {
      const w = await memoryTurns();
      const accept = await flooded(w, 45);
      await w.take(await w.claimed(await accept()));
      expect(w.provider.calls).to.equal(1);
    });
  });

  describe('whose window has ended', () => {
    const late = async (w: MemoryTurns, stopped = false) => {
      const operation = await w.given.accepted();
      const entry = await w.claimed(operation);
      if (stopped) w.lane.facts = { ...w.lane.facts, stopped: 'everything' };
      await w.clock.advance(WINDOW_MS + 1);
      return { operation, entry };
    };
    const failure = async (w: MemoryTurns, operation: string) =>
      (await w.store.read(operationStream.toName(operation))).at(-1)!.data['details'];

    it('is ended at once: it waits for no pace and costs none', async () => {
      const w = await memoryTurns();
      const { operation, entry } = await late(w);
      w.lane.tat = Infinity;
      await w.take(entry);
      expect(w.provider.calls).to.equal(0);
      expect(w.lane.tat).to.equal(Infinity);
      expect(w.lines('info')[0]!.fields).to.include({ step: 'done', error_code: 'send_pacing_timeout' });
      expect(await failure(w, operation)).to.include({ last_reason: 'channel_pace' });
      expect(w.rowOf(operation)).to.equal(undefined);
    });

    it('is ended also where the channel is stopped, and says so', async () => {
      const w = await memoryTurns();
      const { operation, entry } = await late(w, true);
      await w.take(entry);
      expect(await failure(w, operation)).to.include({ last_reason: 'channel_stopped' });
    });

    it('waits for nobody: not for another one to the same person either', async () => {
      const w = await memoryTurns();
      const slow = deferred();
      w.provider.answer = () => slow.promise.then(() => accepted());
      const [first, second] = await w.texts(2);
      const taken = w.take(first!);
      await w.clock.advance(WINDOW_MS + 1);
      await w.take(second!);
      expect(w.rowOf(second!.id), 'ended while the first is under way').to.equal(undefined);
      expect(w.provider.calls).to.equal(1);
      slow.resolve();
      await taken;
    });

    it('is not ended twice at once, and settled as it was claimed last', async () => {
      const w = await memoryTurns();
      const { operation, entry } = await late(w);
      const slow = deferred();
      w.given.faults('SendFailed', (write) => slow.promise.then(write));
      const taken = w.take(entry);
      await loopTurns();
      await w.clock.advance(WINDOW_MS);
      await w.take(await w.claimed(operation));
      slow.resolve();
      await taken;
      expect(w.rowOf(operation)).to.equal(undefined);
      expect(w.lines('info')).to.have.length(1);
    });

    it('lets those behind it go where its turn had come', async () => {
      const w = await memoryTurns();
      const slow = deferred();
      w.provider.answer = () => slow.promise.then(() => accepted());
      const [first, second] = await w.texts(2);
      const taken = w.take(first!);
      await w.take(second!);
      slow.resolve();
      await taken;
      expect(w.ready).to.deep.equal([w.lane]);
      const { urgency, entry } = w.lane.ready.shift()!;
      expect([urgency, entry.id]).to.deep.equal(['service', second!.id]);
      await w.clock.advance(WINDOW_MS + 1);
      const third = await w.claimed(await w.given.accepted(ANA));
      await w.take(third);
      expect(w.provider.calls, 'the third waits for the second').to.equal(1);
      await w.take(entry);
      expect(w.lane.ready.map((claimed) => claimed.entry.id)).to.deep.equal([third.id]);
    });

    it('has not done so at its very end', async () => {
      const w = await memoryTurns();
      const operation = await w.given.accepted();
      const entry = await w.claimed(operation);
      await w.clock.advance(WINDOW_MS);
      await w.take(entry);
      expect(w.provider.calls).to.equal(1);
      w.lane.facts = { ...w.lane.facts, stopped: 'everything' };
      const stopped = await w.given.accepted();
      const claimed = await w.claimed(stopped);
      await w.clock.advance(WINDOW_MS);
      await w.take(claimed);
      expect(w.rowOf(stopped), 'it goes back').to.include({ dueAt: claimed.dueAt });
    });
  });

  describe('behind another one to the same person', () => {
    async function behind(w: MemoryTurns, count = 2) {
      const slow = deferred();
      w.provider.answer = () => slow.promise.then(() => accepted());
      const [first, ...others] = await w.texts(count);
      const taken = w.take(first!);
      await loopTurns();
      for (const entry of others) await w.take(entry);
      return {
        others,
        end: async (): Promise<void> => {
          slow.resolve();
          await taken;
        },
      };
    }

    it('waits for it, and is ready once it has ended', async () => {
      const w = await memoryTurns();
      const { others, end } = await behind(w, 3);
      expect([w.provider.calls, w.lane.ready, w.heard]).to.deep.equal([1, [], []]);
      await end();
      expect(w.ready).to.deep.equal([w.lane]);
      expect(w.lane.ready.map(({ urgency, entry }) => [urgency, entry.id])).to.deep.equal([
        ['service', others[0]!.id],
      ]);
      await w.take(w.lane.ready.shift()!.entry);
      expect(w.provider.sent.map(({ opaque }) => opaque)).to.include(others[0]!.id);
      expect(w.lane.ready.map(({ entry }) => entry.id)).to.deep.equal([others[1]!.id]);
    });

    for (const [why, change] of [
      ['the process is to end', (w) => w.end()],
      ['the channel is no longer its own', (w) => w.lose()],
      [
        'an operator has stopped the channel',
        (w) => (w.lane.facts = { ...w.lane.facts, stopped: 'everything' }),
      ],
    ] as readonly (readonly [string, (w: MemoryTurns) => unknown])[]) {
      it(`goes back as it was where ${why} meanwhile, and so do all`, async () => {
        const w = await memoryTurns();
        const { others, end } = await behind(w, 3);
        change(w);
        await end();
        expect([w.ready, w.lane.ready]).to.deep.equal([[], []]);
        for (const { id, dueAt } of others) expect(w.rowOf(id)).to.include({ dueAt, heldUntil: 0 });
        expect(w.heard.map(([, urgency, at]) => [urgency, at])).to.deep.equal(
          others.map(({ dueAt }) => ['service', dueAt]),
        );
      });
    }

    it('goes back when the channel is let go, ready or not', async () => {
      const w = await memoryTurns();
      const { others, end } = await behind(w, 3);
      await end();
      await w.turns.letGo(w.lane);
      expect([w.lane.ready, w.lane.lines.busy()]).to.deep.equal([[], false]);
      for (const { id, dueAt } of others) expect(w.rowOf(id)).to.include({ dueAt, heldUntil: 0 });
      expect(w.heard).to.have.length(2);
    });
  });
});
