/** The outcome of a claimed row: its next place, the slowdown of others, and the line of the log. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import {
  laneName,
  RECONCILE_QUEUE,
  SEND_QUEUE,
  sendEntry,
  type SendPayload,
  type Urgency,
} from '../../../application/send/queue.js';
import { relay, type SendPointer } from '../../../application/relay.js';
import { operationStream } from '../../../domain/streams.js';
import type { ClaimedEntry } from '../../../ports/due-times.js';
import type { ChannelLane } from '../../../workers/sending/lane.js';
import { createSendHandler } from '../../../workers/sending/send-handler.js';
import type { SendDisposition } from '../../../workers/sending/record.js';
import { anotherProcess, collectingLogger } from '../../support/app.js';
import { disconnectChannel, makeWorld, type World } from '../../support/api/world.js';
import { rejected } from '../../support/fakes/provider.js';
import { makeLane } from '../../support/sends/lane.js';
import { sends, type Send } from './harness.js';

describe('the turn of a claimed row', () => {
  const { app, world, given, then } = sends();

  /** A process that paces the channel. */
  function process(of: World = world, parts: Partial<App> = {}) {
    const { logger, log } = collectingLogger();
    const settings = { ...app.settings, channelRate: 20, paceRecipients: true };
    const paced = anotherProcess(app, { logger, settings, ...parts });
    const lane = makeLane(of.channel, { clock: paced.clock });
    lane.waiting.service.backlog = 3;
    const heard: (readonly [ChannelLane, Urgency, number])[] = [];
    const steps: string[] = [];
    const turns = createSendHandler(paced, {
      heard: (...what) => void heard.push(what),
      laneOf: () => lane,
      onReady: () => undefined,
      onStep: ({ kind }: SendDisposition) => void steps.push(kind),
      ending: () => false,
    });
    return {
      lane,
      heard,
      steps,
      lines: (level: string) => log.filter((line) => line.level === level),
      take: async (send: Send, to: Partial<SendPayload> = {}): Promise<ClaimedEntry> => {
        const entry = await claimed(send, of, to);
        await turns.take(lane, 'service', entry);
        return entry;
      },
    };
  }

  async function claimed({ operation }: Send, of: World, to: Partial<SendPayload>): Promise<ClaimedEntry> {
    const [first] = await app.store.read(operationStream.toName(operation), { limit: 1 });
    const pointer = relay(first!)[0]!.value as SendPointer;
    const name = laneName(of.channel, 'service');
    const now = app.clock.now();
    const payload = { ...pointer, deadline: Date.parse(pointer.deadline), ...to };
    await app.dueTimes.schedule([sendEntry(operation, name, now, payload)]);
    const entries = await app.dueTimes.claim({
      queue: SEND_QUEUE,
      lane: name,
      now,
      limit: 100,
      leaseMs: 60_000,
    });
    return entries.find(({ id }) => id === operation)!;
  }
  const isQueued = async (queue: string, { operation }: Send): Promise<boolean> =>
    (await app.dueTimes.existing(queue, [operation])).has(operation);

  it('that was sent is over, and one line of the log without a word of whom it was for', async () => {
    const send = await given.accepted();
    const { take, lane, heard, steps, lines } = process();
    const { payload } = await take(send);
    expect(await isQueued(SEND_QUEUE, send)).to.equal(false);
    expect([lane.waiting.service.backlog, heard, steps]).to.deep.equal([2, [], ['done']]);
    const { correlation_id, event_id, company } = payload;
    expect(lines('info')).to.deep.equal([
      {
        level: 'info',
        message: 'send',
        fields: {
          operation_uuid: send.operation,
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
  });

  it('that WhatsApp refused for good is over, and names both codes', async () => {
    const send = await given.accepted();
    given.answer(() => rejected(131_026));
    const { take, lane, lines } = process();
    await take(send);
    expect(lines('info')[0]!.fields).to.include({
      step: 'done',
      result: 'failed',
      error_code: 'recipient_unreachable',
      provider_code: 131_026,
    });
    expect(lane.rate.cutAt).to.equal(-Infinity);
    expect(lane.tat).to.be.below(app.clock.monotonic() + 1_000);
  });

  it('that was refused before the call is over, and names why', async () => {
    const other = await makeWorld(app, 'Desligada');
    const send = await given.accepted(other);
    await disconnectChannel(app, other, other.channel);
    const { take, lines } = process(other);
    await take(send);
    expect(lines('info')[0]!.fields).to.include({ step: 'done', error_code: 'channel_not_connected' });
    expect(lines('info')[0]!.fields).to.include({ result: undefined, provider_code: undefined });
  });

  it('whose outcome was lost waits for a status in the other queue', async () => {
    const send = await given.accepted();
    given.answer(() => ({ kind: 'unknown', reason: 'the connection was cut' }));
    const { take, lane, steps, lines } = process();
    await take(send);
    expect(steps).to.deep.equal(['reconcile']);
    expect([await isQueued(SEND_QUEUE, send), await isQueued(RECONCILE_QUEUE, send)]).to.deep.equal([
      false,
      true,
    ]);
    expect(lane.waiting.service.backlog).to.equal(2);
    expect(lines('info')[0]!.fields).to.include({ step: 'reconcile', result: 'unknown' });
  });

  it('for which the number was too quick comes back, and the channel pauses and goes at half its pace', async () => {
    const send = await given.accepted();
    given.answer(() => rejected(130_429, { retryAfterSeconds: 20 }));
    const { take, lane, heard, lines } = process();
    const before = app.clock.monotonic();
    await take(send);
    expect(heard.map(([of, urgency]) => [of, urgency])).to.deep.equal([[lane, 'service']]);
    expect(heard[0]![2]).to.be.within(app.clock.now() + 15_000, app.clock.now() + 20_000);
    expect(lane.tat).to.be.at.least(before + 20_000);
    expect(lane.rate.cutAt).to.be.at.least(before);
    expect(await isQueued(SEND_QUEUE, send)).to.equal(true);
    expect(lane.waiting.service.backlog).to.equal(3);
    expect(lines('info')[0]!.fields).to.include({
      step: 'again',
      result: 'postponed',
      provider_code: 130_429,
      error_code: undefined,
    });
  });

  for (const [what, outcome] of [
    ['WhatsApp was not reached', { kind: 'not_sent', reason: 'refused' }],
    ['the app was too quick', rejected(4, { retryAfterSeconds: 60 })],
    ['the account was too quick', rejected(80_007, { retryAfterSeconds: 60 })],
  ] as const) {
    it(`when ${what}: the channel pauses, and keeps its pace`, async () => {
      const send = await given.accepted();
      given.answer(() => outcome);
      const { take, lane } = process();
      const before = app.clock.monotonic();
      await take(send);
      expect(lane.tat).to.be.at.least(before + 1_000);
      expect(lane.rate.cutAt).to.equal(-Infinity);
    });
  }

  it('when only this message is to be tried later: nobody else waits', async () => {
    const send = await given.accepted();
    given.answer(() => rejected(131_000, { retryAfterSeconds: 600 }));
    const { take, lane } = process();
    await take(send);
    expect(lane.tat).to.be.below(app.clock.monotonic() + 60_000);
  });

  it('when the number was too quick for one person: that person waits, and the channel does not', async () => {
    const [first, second] = [await given.accepted(), await given.accepted()];
    given.answer(() => rejected(131_056, { retryAfterSeconds: 60 }));
    const { take, lane, heard, lines } = process();
    const { payload } = await take(first);
    expect(lane.tat).to.be.below(app.clock.monotonic() + 30_000);
    const { subject } = payload as SendPayload;
    await take(second, { subject });
    expect(then.calls()).to.equal(1);
    expect(heard[1]![2]).to.be.greaterThan(app.clock.now() + 30_000);
    expect(await isQueued(SEND_QUEUE, second)).to.equal(true);
    expect((await then.operation(second)).waiting?.reason).to.equal('recipient_pace');
    expect(lines('info')).to.have.length(1);
  });

  it('that failed on our side is named, and comes back a second later', async () => {
    const from = app.clock.now();
    const send = await given.accepted();
    const broken = { ...app.provider, send: () => Promise.reject(new Error('a fault of ours')) };
    const failing = process(world, { provider: broken });
    const { payload } = await failing.take(send);
    const [line] = failing.lines('error');
    expect(line!.message).to.equal('sending failed on our side; it is tried again');
    expect(line!.fields).to.deep.include({
      operation_uuid: send.operation,
      correlation_id: payload['correlation_id'],
      event_id: payload['event_id'],
    });
    expect((line!.fields['err'] as Error).message).to.equal('a fault of ours');
    expect(failing.heard[0]![2]).to.be.within(from + 1_000, app.clock.now() + 1_000);
    expect(failing.lines('info')).to.deep.equal([]);
  });

  it('whose window has ended is ended at once: it waits for no pace and costs none', async () => {
    const send = await given.accepted();
    const { take, lane, lines } = process();
    lane.tat = Infinity;
    given.ahead(app.settings.pacingWindowMs + 60_000);
    await take(send);
    expect(then.calls()).to.equal(0);
    expect(lines('info')[0]!.fields).to.include({ step: 'done', error_code: 'send_pacing_timeout' });
  });

  it('of a channel that an operator stopped after it was claimed goes back as it was', async () => {
    const send = await given.accepted();
    const { take, lane, heard, lines } = process();
    lane.facts = { ...lane.facts, stopped: 'everything' };
    const entry = await take(send);
    expect(then.calls()).to.equal(0);
    expect(heard).to.deep.equal([[lane, 'service', entry.dueAt]]);
    expect(lines('info')).to.deep.equal([]);
    expect(await isQueued(SEND_QUEUE, send)).to.equal(true);
  });
});
