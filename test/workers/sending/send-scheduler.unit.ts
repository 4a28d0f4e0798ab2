/** Accepted sends become rows, and those that will wait are shown as waiting. */
import { expect } from 'chai';
import { relay, SENDS } from '../../../application/relay.js';
import { exampleIds } from '../../support/examples/example.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import { operationStream } from '../../../domain/streams.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { ConsumeOptions, Consumer, TopicMessage } from '../../../ports/topics.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { sendReactor } from '../../../workers/sending/send-scheduler.js';
import { memorySends } from './memory-sends.js';
import { createKeptRows } from '../../../workers/lanes/kept-rows.js';

describe('the intake of accepted sends', () => {
  function world() {
    const w = memorySends();
    const consumer: Consumer = {
      stop: async () => undefined,
      lag: async () => 3,
      caughtUp: async () => undefined,
    };
    let options: ConsumeOptions | undefined;
    Object.assign(w.app.topics, {
      consume: (given: ConsumeOptions) => {
        options = given;
        return consumer;
      },
    });
    /** Waits by lane, and the lanes that an operator has stopped. */
    const waits = new Map<string, number>();
    const stopped = new Set<string>();
    /** Lanes whose channel this process paces. */
    const held = new Set<string>();
    const said: string[] = [];
    const started = startReactor(w.app, sendReactor, {
      backlog: {
        expectedWaitMs: (lane) => waits.get(lane) ?? 0,
        isStopped: (lane) => stopped.has(lane),
        isHeld: (lane) => held.has(lane),
        added: (lane, count) => void said.push(`${lane} ${count}`),
      },
    });
    const pointerTo = async (operation: string): Promise<TopicMessage> => {
      const [first] = await w.store.read(operationStream.toName(operation), { limit: 1 });
      return { ...relay(first!)[0]!, offset: '1' };
    };
    return {
      ...w,
      waits,
      stopped,
      held,
      said,
      started,
      options: options!,
      pointerTo,
      /** Accepts this many sends and hands them over in one batch. */
      async handed(count = 1, more: Partial<SendAsAccepted> = {}): Promise<readonly string[]> {
        const operations: string[] = [];
        for (let n = 0; n < count; n += 1) operations.push(await w.given.accepted(more));
        await options!.handle(await Promise.all(operations.map(pointerTo)));
        return operations;
      },
      shownOf: async (operations: readonly string[]) =>
        (await Promise.all(operations.map(w.state))).filter(({ phase }) => phase === 'waiting'),
    };
  }
  const MARKETING = { template_category: 'MARKETING' };
  const SERVICE_LANE = exampleIds.channel;
  const MARKETING_LANE = `${exampleIds.channel}/marketing`;

  it('makes a row of each, due now, in the lane of its kind, and counts it', async () => {
    const w = world();
    expect(
      [await w.started.lag(), await w.started.retries()],
      'of the topic; nothing is tried again',
    ).to.deep.equal([3, 0]);
    expect(w.options).to.include({ topic: SENDS, group: 'sending', maxBatch: 100 });
    const [service] = await w.handed();
    const [marketing] = await w.handed(1, MARKETING);
    expect(w.rowOf(service!)).to.deep.include({
      lane: SERVICE_LANE,
      dueAt: w.clock.now(),
      payload: await w.payloadOf(service!),
    });
    expect(w.rowOf(marketing!)).to.include({ lane: MARKETING_LANE });
    expect(w.said).to.deep.equal([`${SERVICE_LANE} 1`, `${MARKETING_LANE} 1`]);
    expect(await w.events(service!), 'nothing waits').to.deep.equal(['SendAccepted']);
  });

  it('may keep the rows of channels that this process paces in memory, and no others', async () => {
    const w = world();
    const until: Promise<unknown>[] = [];
    const kept = createKeptRows(w.dueTimes, w.clock, { failed: () => undefined, worked: () => undefined });
    Object.assign(w.app, { dueTimes: kept });
    const open = { until: (work: Promise<unknown>) => void until.push(work) };
    const pointer = await w.pointerTo(await w.given.accepted());
    await w.options.handle([pointer], open);
    expect([w.dueTimes.rows('send').length, until.length]).to.deep.equal([1, 0]);
    w.held.add(SERVICE_LANE);
    await w.options.handle([await w.pointerTo(await w.given.accepted())], open);
    expect([w.dueTimes.rows('send').length, until.length]).to.deep.equal([1, 1]);
    await kept.letGo();
    expect(w.dueTimes.rows('send').length).to.equal(2);
  });

  it('passes over what is no send', async () => {
    const w = world();
    const pointer = await w.pointerTo(await w.given.accepted());
    const value = { ...pointer.value, stream: `contact-${exampleIds.contact}` };
    await w.options.handle([{ ...pointer, value }]);
    expect([w.dueTimes.rows('send'), w.said]).to.deep.equal([[], []]);
  });

  it('makes a row of what it can not find in the history, and shows nothing', async () => {
    const w = world();
    w.waits.set(SERVICE_LANE, 60_000);
    const pointer = await w.pointerTo(await w.given.accepted());
    const unknown = w.app.newId();
    await w.options.handle([
      { ...pointer, value: { ...pointer.value, stream: operationStream.toName(unknown) } },
    ]);
    expect(w.rowOf(unknown)).not.to.equal(undefined);
    expect(await w.events(unknown)).to.deep.equal([]);
  });

  it('shows what will wait for more than two seconds, and for what', async () => {
    const w = world();
    w.waits.set(SERVICE_LANE, 2_000);
    expect(await w.shownOf(await w.handed())).to.deep.equal([]);
    w.waits.set(SERVICE_LANE, 2_001);
    const [operation] = await w.handed();
    expect(await w.state(operation!)).to.include({
      phase: 'waiting',
      waitReason: 'channel_pace',
      deferredUntil: new Date(w.clock.now() + 2_001).toISOString(),
    });
    const { meta } = await w.last(operation!);
    expect(meta.command_id).to.equal(`${(await w.payloadOf(operation!)).event_id}/defer/intake`);
    w.waits.set(MARKETING_LANE, 60_000);
    w.stopped.add(MARKETING_LANE);
    const [stopped] = await w.handed(1, MARKETING);
    expect((await w.state(stopped!)).waitReason).to.equal('channel_stopped');
  });

  it('shows fifty in a second', async () => {
    const w = world();
    w.waits.set(SERVICE_LANE, 60_000);
    expect(await w.shownOf(await w.handed(51))).to.have.length(50);
    expect(await w.shownOf(await w.handed())).to.have.length(0);
    await w.clock.advance(999);
    expect(await w.shownOf(await w.handed())).to.have.length(0);
    await w.clock.advance(1);
    expect(await w.shownOf(await w.handed())).to.have.length(1);
  });

  it('has a batch handed over again whose rows could not be written, which the log says', async () => {
    const w = world();
    const gone = new StoreUnavailable('gone');
    const inner = { ...w.dueTimes };
    w.dueTimes.schedule = () => Promise.reject(gone);
    expect(await w.handed().catch((error: unknown) => error)).to.equal(gone);
    w.options.onError!(gone);
    Object.assign(w.dueTimes, inner);
    await w.handed();
    expect(w.log.map(({ level, message }) => [level, message])).to.deep.equal([
      ['warn', 'taking messages from the topic failed; it is tried again'],
      ['warn', 'taking messages from the topic works again'],
    ]);
  });
});
