/** Envelopes whose ids begin with their sequence, beside those that an earlier release made. */
import { expect } from 'chai';
import { beginOrder } from '../../../application/event-feed/envelopes.js';
import { allDocuments } from '../../../application/provisioning/documents.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { START } from '../../../ports/event-store.js';
import { eventEnvelopes, ORDERED } from '../../../read-models/event-envelopes.js';
import { createEnvelopeBook } from '../../../workers/event-feed/book.js';
import { missingEvents } from '../../../workers/event-feed/events.js';
import { openedForEach } from '../../support/opened.js';
import { feedWorld } from './world.js';

const digits = (sequence: number): string => sequence.toString(16).padStart(12, '0');

describe('the order of envelopes', () => {
  const world = openedForEach(feedWorld);

  /** Ids and documents of all envelopes, by sequence. */
  async function envelopes() {
    const found = [];
    const all = allDocuments(world.app, eventEnvelopes.name, 'by_integration', [world.shop.integration]);
    for await (const stored of all) found.push(stored);
    return found.sort((a, b) => a.doc.sequence - b.doc.sequence);
  }

  /** Two messages, then the process of a later release begins. */
  async function upgraded() {
    await world.addEndpoint();
    const earlier = await world.startProcess({ notify: createEnvelopeBook() });
    const customer = await world.customer('+5511987654321');
    for (const text of ['one', 'two']) await world.receive(customer, text);
    await world.shown();
    await earlier.stopFeed();
    await earlier.kill();
    const { readModels, store } = world.app;
    const orderedAfter = await beginOrder(readModels, store, ORDERED);
    await world.startProcess({ notify: createEnvelopeBook(), orderedAfter });
    return { customer, orderedAfter };
  }

  it('begins at the end of the history, once, and changes no envelope before it', async () => {
    const { customer, orderedAfter } = await upgraded();
    const earlier = await envelopes();
    for (const text of ['three', 'four', 'five']) await world.receive(customer, text);
    await world.shown();
    const { readModels, store } = world.app;
    expect(await beginOrder(readModels, store, ORDERED)).to.equal(orderedAfter);
    const all = await envelopes();
    expect(all.slice(0, earlier.length)).to.deep.equal(earlier);
    expect(
      earlier.filter(({ id, doc }) => id.replace('-', '').startsWith(digits(doc.sequence))),
    ).to.deep.equal([]);
    const later = all.slice(earlier.length);
    expect(later).to.have.length.at.least(3);
    const heads = later.map(({ id }) => id.replace('-', '').slice(0, 12));
    expect(heads).to.deep.equal(later.map(({ doc }) => digits(doc.sequence)));
    const page = await world.read('?limit=100');
    expect(page.events.map(({ sequence }) => sequence)).to.deep.equal(all.map(({ doc }) => doc.sequence));
  });

  it('finds the envelopes of an earlier release, whose checkpoint may be behind them', async () => {
    const { customer, orderedAfter } = await upgraded();
    await world.receive(customer, 'three');
    await world.shown();
    const { records } = await world.app.store.readAll({ after: START, limit: 1_000 });
    const app = { ...world.app, envelopesOrderedAfter: () => orderedAfter };
    const stored = new Set((await envelopes()).map(({ doc }) => doc.sequence));
    const kept = records.filter(({ position }) => stored.has(world.app.store.sequenceOf(position)));
    expect(kept).to.have.length(stored.size).and.at.least(3);
    expect((await missingEvents(app, kept)).missing).to.deep.equal([]);
  });

  it('has an erasure empty what is before and after its beginning', async () => {
    const { customer, orderedAfter } = await upgraded();
    await world.receive(customer, 'three');
    await world.shown();
    const app = { ...world.app, envelopesOrderedAfter: () => orderedAfter };
    await eraseContact(app, { contactUuid: customer.contact }, { actor: 'admin' });
    const received = (await envelopes()).filter(({ doc }) => doc.event_type === 'message.received');
    expect(received).to.have.length(3);
    for (const { doc } of received)
      expect(JSON.parse(doc.body!)).to.have.property('data').that.deep.equals({});
  });
});
