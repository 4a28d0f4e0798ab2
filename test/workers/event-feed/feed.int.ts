import { expect } from 'chai';
import { openedForEach } from '../../support/opened.js';
import { createEnvelopeBook } from '../../../workers/event-feed/book.js';
import { FEED } from '../../../read-models/event-envelopes.js';
import { feedGaps } from '../../../runtime/doctor/webhooks.js';
import { LeftOut, type EnvelopeInput } from '../../../workers/notifications/envelope.js';
import { addIntegration } from '../../support/api/world.js';
import { eventually } from '../../support/e2e/eventually.js';
import { feedWorld, type Envelope } from './world.js';

const sequences = (events: readonly Envelope[]): readonly number[] => events.map(({ sequence }) => sequence);

describe('the events feed', () => {
  const world = openedForEach(feedWorld);

  it('shows every event once, in order, with the bytes of its webhooks, after hours of load and a crash', async () => {
    await world.addEndpoint();
    const keep = createEnvelopeBook();
    let calls = 0;
    // Some notifications fail at first and come again seconds later, when those after them have been handled.
    const flaky: typeof keep = async (app, input) => {
      calls += 1;
      if (calls % 7 === 0) throw new Error('a fault of this attempt');
      return keep(app, input);
    };
    const first = await world.startProcess({ notify: flaky });
    const customers = await Promise.all(
      ['1', '2', '3', '4', '5'].map((n) => world.customer(`+551198765432${n}`)),
    );
    const seen: Envelope[] = [];
    const lines: string[] = [];
    let after: number | null = null;
    const readOn = async (): Promise<void> => {
      for (;;) {
        const page = await world.read(`?limit=7${after === null ? '' : `&after=${after}`}`);
        seen.push(...page.events);
        lines.push(...page.lines);
        after = page.meta.next_after;
        if (!page.meta.more) return;
      }
    };
    for (let hour = 0; hour < 4; hour += 1) {
      const writing = customers.map(async (customer, n) => {
        for (let i = 0; i < 5; i += 1) await world.receive(customer, `message ${hour}/${i} of customer ${n}`);
      });
      await readOn();
      if (hour === 2) {
        await first.kill();
        await world.startProcess({ notify: createEnvelopeBook() });
      }
      await Promise.all([...writing, world.clock.advance(1_000)]);
      await readOn();
    }
    await world.shown();
    await readOn();
    await world.until(async () => new Set(world.orders.map(({ eventId }) => eventId)).size >= seen.length);

    const all = sequences(seen);
    expect(all, 'in sequence, once').to.deep.equal([...new Set(all)].sort((a, b) => a - b));
    expect(seen.filter(({ type }) => type === 'message.received')).to.have.length(4 * 5 * 5);
    expect(seen.filter(({ type }) => type === 'conversation.created')).to.have.length(5);
    const bodies = new Map(world.orders.map(({ eventId, body }) => [eventId, body]));
    expect([...bodies.keys()], 'each webhook is in the feed').to.have.members(seen.map(({ id }) => id));
    for (const [n, { id }] of seen.entries()) expect(lines[n]).to.equal(bodies.get(id));
  });

  it('never shows an event while an earlier one is still being made', async () => {
    await world.addEndpoint();
    const keep = createEnvelopeBook();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const isFirst = ({ type }: EnvelopeInput): boolean => type === 'conversation.created';
    await world.startProcess({
      keep: async (app, input) => {
        if (isFirst(input)) await held;
        return keep(app, input);
      },
      notify: async (app, input) => {
        if (isFirst(input)) throw new Error('comes again later');
        return keep(app, input);
      },
    });
    await world.receive(await world.customer('+5511987654321'), 'later, and ready earlier');
    await world.until(async () => world.orders.length > 0);
    const notified = world.orders.map(({ eventType }) => eventType);
    const { events: early } = await world.read();
    release();
    await world.shown();
    expect([notified, early]).to.deep.equal([['message.received'], []]);
    expect((await world.read()).events.map(({ type }) => type)).to.deep.equal([
      'conversation.created',
      'message.received',
    ]);
  });

  it('shows every event, in order, where its batches begin apart and the notifications made most envelopes', async () => {
    await world.addEndpoint(world.shop.integration, ['message.received']);
    await world.startProcess({ notify: createEnvelopeBook(), apartMs: 200 });
    const customer = await world.customer('+5511987654321');
    for (let n = 0; n < 20; n += 1) {
      await world.receive(customer, `message ${n}`);
      await world.clock.advance(50);
    }
    await world.shown();
    const { events } = await world.read();
    expect(events.map(({ type }) => type)).to.deep.equal([
      'conversation.created',
      ...Array<string>(20).fill('message.received'),
    ]);
    expect(sequences(events)).to.deep.equal(sequences(events).toSorted((a, b) => a - b));
  });

  it('stops in the pause between two batches', async () => {
    await world.addEndpoint();
    const process = await world.startProcess({ apartMs: 3_600_000 });
    const before = await world.app.readModels.checkpoint(FEED);
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    await world.until(async () => (await world.app.readModels.checkpoint(FEED)) > before);
    await process.stopFeed();
  });

  it('keeps events that no endpoint listens to, filters by type, and says where to go on', async () => {
    await world.addEndpoint(world.shop.integration, ['order.created']);
    await world.startProcess({ notify: createEnvelopeBook() });
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    await world.shown();
    expect(world.orders).to.deep.equal([]);
    const all = await world.read();
    expect(all.events.map(({ type }) => type)).to.deep.equal(['conversation.created', 'message.received']);
    const some = await world.read('?types=message.received,order.created');
    expect(some.lines).to.deep.equal([all.lines[1]]);
    const none = await world.read('?types=order.created');
    expect([none.events, none.meta]).to.deep.equal([[], all.meta]);
    expect((await world.read(`?after=${all.meta.next_after}`)).events).to.deep.equal([]);
  });

  it('is kept by an integration that has it switched on, and refused to one that keeps nothing', async () => {
    const { key } = await addIntegration(world.app, world.shop);
    await world.startProcess();
    expect(await world.refusal('')).to.include({ status: 409, code: 'events_feed_off' });
    await world.switchFeed(true);
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    await world.shown();
    const kept = await world.read();
    expect(kept.events).to.have.length(2);
    expect(await world.refusal('', key)).to.include({ status: 409, code: 'events_feed_off' });
    // What happened while it was off is missing, and readers of before learn it.
    await world.switchFeed(false);
    await world.receive(await world.customer('+5511987654322'), 'Oi');
    await world.switchFeed(true);
    await world.receive(await world.customer('+5511987654323'), 'Oi');
    await world.shown();
    const expired = await world.refusal(`?after=${kept.meta.next_after}`);
    expect(expired).to.include({ status: 410, code: 'events_expired' });
    const { oldest_sequence, continue_after } = expired.details ?? {};
    const rest = await world.read(`?after=${String(continue_after)}`);
    expect(rest.events).to.have.length(2);
    expect(rest.events[0]?.sequence).to.equal(oldest_sequence);
    expect(rest.lines).to.deep.equal((await world.read()).lines);
  });

  it('ends before an event that cannot be made, and goes on once it can', async () => {
    await world.addEndpoint();
    const keep = createEnvelopeBook();
    let skipped = true;
    const refusing: typeof keep = async (app, input) => {
      if (skipped && input.type === 'conversation.created') throw new LeftOut('an operator skipped it');
      return keep(app, input);
    };
    await world.startProcess({ keep: refusing });
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    await world.shown();
    const { events, meta } = await world.read();
    expect([events, meta.more, meta.waiting]).to.deep.equal([[], false, true]);
    expect(world.log.map(({ message }) => message)).to.include(
      'an event could not be added to the events feed, which waits before it',
    );
    skipped = false;
    await world.until(async () => !(await world.read()).meta.waiting);
    const on = await world.read();
    expect(on.events.map(({ type }) => type)).to.deep.equal(['conversation.created', 'message.received']);
    await world.until(async () => (await world.gaps()) === 0);
  });

  it('goes on without an event that an operator leaves out, which appears with empty data', async () => {
    await world.addEndpoint();
    const keep = createEnvelopeBook();
    await world.startProcess({
      keep: async (app, input) => {
        if (input.type === 'conversation.created') throw new LeftOut('an operator skipped it');
        return keep(app, input);
      },
    });
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    await world.until(async () => (await world.gaps()) === 1);
    await world.shown();
    expect((await world.read()).events).to.deep.equal([]);
    const gap = await world.leaveOut();
    const { events, meta } = await world.read();
    expect(events.map(({ type }) => type)).to.deep.equal(['conversation.created', 'message.received']);
    expect(events[0]).to.deep.include({ id: gap.event_id, sequence: gap.sequence, data: {} });
    expect([meta.waiting, await world.gaps()]).to.deep.equal([false, 0]);
  });

  it('takes an event for a gap after five failures, and goes on once an operator leaves it out', async () => {
    await world.addEndpoint();
    const keep = createEnvelopeBook();
    let failures = 0;
    await world.startProcess({
      keep: async (app, input) => {
        if (input.type !== 'conversation.created') return keep(app, input);
        failures += 1;
        throw new Error('a fault of every attempt');
      },
    });
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    // The store pauses in real time before it delivers a failed batch again.
    await eventually(async () => (await world.gaps()) === 1);
    expect(failures).to.equal(5);
    await world.shown();
    expect((await world.read()).events).to.deep.equal([]);
    const [finding] = await feedGaps(world.app);
    expect(finding).to.include({ check: 'events_feed', status: 'warn' });
    expect(finding?.message).to.include('a fault of every attempt').and.include(world.shop.integration);
    const gap = await world.leaveOut();
    expect(finding?.todo).to.include(`recado integrations leave-out ${gap.gap_uuid}`);
    const { events, meta } = await world.read();
    expect(events.map(({ type }) => type)).to.deep.equal(['conversation.created', 'message.received']);
    expect(events[0]).to.deep.include({ id: gap.event_id, sequence: gap.sequence, data: {} });
    expect(meta.waiting).to.equal(false);
    expect((await feedGaps(world.app)).map(({ status }) => status)).to.deep.equal(['ok']);
  });

  it('forgets what is older than the delivery log, and tells readers of before', async () => {
    await world.addEndpoint();
    await world.startProcess();
    await world.receive(await world.customer('+5511987654321'), 'old');
    await world.shown();
    const old = await world.read();
    world.clock.stepWall(30 * 86_400_000);
    await world.receive(await world.customer('+5511987654322'), 'young');
    await world.shown();
    expect((await world.read()).events).to.have.length(4);
    expect((await world.sweep(29)).event_envelopes).to.equal(2);
    const left = await world.read();
    expect(left.events).to.have.length(2);
    // Readers of the last removed event have missed nothing.
    expect((await world.read(`?after=${old.meta.next_after}`)).lines).to.deep.equal(left.lines);
    const refused = await world.refusal(`?after=${String(old.events[0]?.sequence)}`);
    expect(refused).to.include({ status: 410, code: 'events_expired' });
    expect(refused.details).to.deep.equal({
      after: old.events[0]?.sequence,
      oldest_sequence: left.events[0]?.sequence,
      continue_after: old.meta.next_after,
    });
  });

  it('keeps id, type and sequence of the events of an erased person, and nothing else', async () => {
    await world.addEndpoint();
    await world.startProcess();
    const [gone, stays] = [await world.customer('+5511987654321'), await world.customer('+5511987654322')];
    await world.receive(gone, 'minha senha');
    await world.receive(stays, 'Oi');
    await world.shown();
    const before = await world.read();
    await world.erase(gone.contact);
    const { events } = await world.read();
    expect(events.map(({ id, type, sequence }) => [id, type, sequence])).to.deep.equal(
      before.events.map(({ id, type, sequence }) => [id, type, sequence]),
    );
    const emptied = events.filter(({ data }) => Object.keys(data).length === 0);
    expect(emptied.map(({ type }) => type)).to.have.members(['conversation.created', 'message.received']);
  });

  it('shows a test event to the integration whose endpoint was tested alone', async () => {
    const other = await addIntegration(world.app, world.shop);
    const { endpointUuid } = await world.addEndpoint();
    await world.addEndpoint(other.integration);
    await world.startProcess();
    await world.test(endpointUuid);
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    await world.shown();
    const types = async (key?: string) => (await world.read('', key)).events.map(({ type }) => type);
    expect(await types()).to.deep.equal(['webhook.test', 'conversation.created', 'message.received']);
    expect(await types(other.key)).to.deep.equal(['conversation.created', 'message.received']);
  });

  it('refuses a sequence beyond the newest event, as a restore may leave it', async () => {
    await world.addEndpoint();
    await world.startProcess();
    await world.receive(await world.customer('+5511987654321'), 'Oi');
    await world.shown();
    const { meta } = await world.read();
    const refused = await world.refusal(`?after=${meta.next_after + 1_000}`);
    expect(refused).to.include({ status: 410, code: 'events_expired' });
    expect(refused.details?.['continue_after']).to.equal(meta.next_after);
  });
});
