import { expect } from 'chai';
import type { RecordedEvent } from '../../../application/codec.js';
import { contactEventExamples } from '../../support/examples/contact.js';
import { contactStream, conversationStream, messageStream } from '../../../domain/streams.js';
import { conversationEventExamples } from '../../support/examples/conversation.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageEventExamples } from '../../support/examples/message.js';
import type { StoredRecord } from '../../../ports/event-store.js';
import { eventEnvelopes } from '../../../read-models/event-envelopes.js';
import { projections } from '../../../projections/catalog.js';
import type { AnyProjection } from '../../../projections/projection.js';
import { webhookTypeOf, type NotifiableEvent } from '../../../workers/notifications/event-kind.js';
import { history } from '../../support/projections.js';
import { ENDPOINT, notificationWorld } from './world.js';

const conversation = conversationStream.toName(exampleIds.conversation);
const EVENTS = history(
  [contactStream.toName(exampleIds.contact), contactEventExamples.created],
  [conversation, conversationEventExamples.opened],
  [messageStream.toName(exampleIds.message), messageEventExamples.received],
  [conversation, conversationEventExamples.resolved],
);
const [, OPENED, RECEIVED, RESOLVED] = EVENTS.map(({ record }) => record);

const named = (name: string): AnyProjection => projections.find((projection) => projection.name === name)!;
const contacts = named('contacts');
const conversations = named('conversations');

/** A world whose store shows only these records; all of them when left out. */
const world = (stored?: readonly StoredRecord[]) => notificationWorld(EVENTS, stored);

describe('what integrators are told', () => {
  for (const [behind, others] of [
    [conversations, [contacts]],
    [contacts, [conversations]],
  ] as const) {
    it(`waits for ${behind.name} that are behind the other read models, however long, and is not dropped`, async () => {
      const w = world();
      for (const projection of others) await w.show(projection);
      await w.pointAt(OPENED!);
      await w.pointAt(RECEIVED!);
      await w.clock.advance(3_600_000);
      expect(w.told()).to.deep.equal([]);
      expect(await w.waiting()).to.equal(2);
      await w.show(behind);
      await w.clock.advance(60_000);
      expect(w.told().map(({ type }) => type)).to.have.members(['conversation.created', 'message.received']);
      expect(await w.waiting()).to.equal(0);
      expect(w.parked()).to.equal(0);
      await w.stop();
    });
  }

  it('waits for endpoints that are behind the other read models, and then reaches whom nobody knew of', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations);
    w.endpoints.pop();
    w.barrier.endAt('webhook_endpoints', RECEIVED!.position);
    await w.pointAt(OPENED!);
    expect(await w.waiting(), 'of before').to.equal(0);
    await w.pointAt(RECEIVED!);
    await w.clock.advance(3_600_000);
    expect([w.told().length, await w.waiting(), w.parked()]).to.deep.equal([0, 1, 0]);
    w.endpoints.push(ENDPOINT);
    w.barrier.whole('webhook_endpoints');
    await w.clock.advance(60_000);
    expect(w.told().map(({ type }) => type)).to.deep.equal(['message.received']);
    expect(await w.waiting()).to.equal(0);
    await w.stop();
  });

  it('looks for an envelope only where the event may have been handled before', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations);
    const looks = () => w.reads(eventEnvelopes.name);
    await w.pointAt(OPENED!, { until: () => undefined });
    expect([looks(), w.told().length]).to.deep.equal([0, 1]);
    await w.pointAt(RECEIVED!);
    expect([looks(), w.told().length]).to.deep.equal([1, 2]);
    await w.stop();
  });

  it('handles an event only once its envelope is durable', async () => {
    const fails = Promise.reject(new Error('the commit failed'));
    fails.catch(() => undefined);
    let durable: Promise<void> = fails;
    const envelope = { body: '{"type":"message.received"}', contactUuid: null };
    const w = notificationWorld(EVENTS, undefined, async () => ({ envelope, durable }));
    await w.pointAt(RECEIVED!);
    expect([await w.waiting(), w.outcomes]).to.deep.equal([1, ['notifications later']]);
    durable = Promise.resolve();
    await w.clock.advance(60_000);
    expect([await w.waiting(), w.outcomes[1]]).to.deep.equal([0, 'notifications handled']);
    await w.stop();
  });

  it('waits for contacts whose documents are from before the event', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations);
    w.barrier.endAt('contacts', RECEIVED!.position);
    await w.pointAt(RECEIVED!);
    await w.clock.advance(3_600_000);
    expect([w.told().length, await w.waiting(), w.parked()]).to.deep.equal([0, 1, 0]);
    w.barrier.whole('contacts');
    await w.clock.advance(60_000);
    expect(w.told().map(({ type }) => type)).to.deep.equal(['message.received']);
    await w.stop();
  });

  it('does not show a conversation as it was before the event', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations, EVENTS.slice(0, 3));
    await w.pointAt(RESOLVED!);
    expect(w.told()).to.deep.equal([]);
    await w.show(conversations);
    await w.clock.advance(60_000);
    expect(w.told().map(({ data }) => data['conversation'])).to.have.length(1);
    expect(w.told()[0]!.data['conversation']).to.include({ status: 'resolved' });
    await w.stop();
  });

  it('is parked, with the reason, where an operator skipped what makes the document', async () => {
    const w = world();
    await w.show(contacts);
    w.skip(conversations, OPENED!);
    await w.pointAt(OPENED!);
    await w.pointAt(RECEIVED!);
    expect(await w.waiting()).to.equal(0);
    expect(w.reasons()).to.have.length(2);
    for (const reason of w.reasons()) expect(reason).to.include(`leaves out an event of ${OPENED!.stream}`);
    await w.stop();
  });

  it('is parked where an operator skipped the event itself, and waited for where another one was skipped', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations, EVENTS.slice(0, 3));
    w.skip(conversations, OPENED!);
    await w.pointAt(RESOLVED!);
    expect([await w.waiting(), w.parked()]).to.deep.equal([1, 0]);
    w.skip(conversations, RESOLVED!);
    await w.clock.advance(60_000);
    expect([await w.waiting(), w.parked()]).to.deep.equal([0, 1]);
    await w.stop();
  });

  it('comes only from events of a conversation that its document is made of: it is waited for', () => {
    for (const event of Object.values(conversationEventExamples)) {
      const recorded = history([conversation, event]) as readonly RecordedEvent<NotifiableEvent>[];
      if (webhookTypeOf(recorded) !== null) expect(conversations.handles).to.include(event.type);
    }
  });

  it('waits for an event that its stream does not show, and parks it in the end', async () => {
    for (const comes of [true, false]) {
      const w = world(EVENTS.slice(0, 3).map(({ record }) => record));
      await w.show(contacts);
      await w.show(conversations);
      await w.pointAt(RESOLVED!);
      if (comes) w.history.push(RESOLVED!);
      await w.clock.advance(3_600_000);
      expect(w.told()).to.have.length(comes ? 1 : 0);
      expect(w.parked()).to.equal(comes ? 0 : 1);
      if (!comes) expect(w.reasons()[0]).to.include('gave up after 12 tries');
      await w.stop();
    }
  });
});
