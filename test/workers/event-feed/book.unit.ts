/** How often the envelope of an event is asked of the store, by the feed and the deliveries of one process. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { envelopeIdOf, ERASED, GAP } from '../../../application/event-feed/envelopes.js';
import { eventEnvelopes, eventGaps } from '../../../read-models/event-envelopes.js';
import { createEnvelopeBook } from '../../../workers/event-feed/book.js';
import type { EnvelopeInput } from '../../../workers/notifications/envelope.js';
import { exampleIds } from '../../support/examples/example.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

const ID = envelopeIdOf({ eventId: 'event', sequence: 7 }, exampleIds.integration);

describe('the book of envelopes', () => {
  function world() {
    const clock = manualClock();
    const asked: string[] = [];
    const readModels = memoryReadModels((step, what) => void asked.push(`${step} ${what.split('/')[0]!}`));
    const app = {
      clock,
      readModels,
      barrier: fakeBarrier(),
      envelopesOrderedAfter: () => Infinity,
      store: { sequenceOf: Number },
    } as unknown as App;
    const input = {
      eventId: 'event',
      type: 'webhook.test',
      integrationUuid: exampleIds.integration,
      history: [
        {
          event: { type: 'WebhookTestRequested', data: { endpoint_uuid: exampleIds.endpoint } },
          record: { position: '7', meta: { company: exampleIds.company, occurred_at: 'today' } },
        },
      ],
    } as unknown as EnvelopeInput;
    const book = (oneStore = false) => {
      const keep = createEnvelopeBook(oneStore);
      const knows = (): boolean => keep.knows?.(ID, clock) ?? false;
      return Object.assign((absent?: boolean) => keep(app, input, absent), { knows });
    };
    const stored = () => readModels.all(eventEnvelopes.name).get(ID)?.doc['body'];
    return { clock, asked, readModels, input, book, stored };
  }

  it('reads nothing for the feed, which has just seen that there is none, nor for the deliveries', async () => {
    const w = world();
    const keep = w.book();
    const feed = await keep(true);
    expect(await keep()).to.equal(feed);
    expect(feed?.envelope.body).to.equal(w.stored());
    expect(w.asked).to.deep.equal(['write event_envelopes']);
  });

  it('asks again a second later: an erasure may have emptied it meanwhile', async () => {
    const w = world();
    const keep = w.book();
    await keep(true);
    await w.clock.advance(1_000);
    w.asked.length = 0;
    await keep();
    expect(w.asked).to.deep.equal(['read event_envelopes']);
  });

  it('fills a gap also where none was expected', async () => {
    const w = world();
    await w.readModels.write(eventEnvelopes.name, [{ id: ID, doc: { body: null } as never, version: GAP }]);
    w.asked.length = 0;
    const made = await w.book()(true);
    expect(w.stored()).to.equal(made?.envelope.body).and.to.be.a('string');
    expect(w.asked).to.deep.equal(['write event_envelopes']);
  });

  it('knows for a second that it is there, and not before it is', async () => {
    const w = world();
    const keep = w.book();
    const kept = keep(true);
    expect(keep.knows()).to.equal(false);
    await (
      await kept
    )?.durable;
    expect(keep.knows()).to.equal(true);
    await w.clock.advance(1_000);
    expect(keep.knows()).to.equal(false);
  });

  it('gives what another process kept first, also where it was absent a moment before', async () => {
    const w = world();
    const theirs = { body: 'theirs' };
    await w.readModels.write(eventEnvelopes.name, [{ id: ID, doc: theirs as never, version: '0000000001' }]);
    expect((await w.book()(true))?.envelope.body).to.equal('theirs');
    expect((await w.book()())?.envelope.body).to.equal('theirs');
  });

  it('says that the person was erased since it was made, however it comes to it', async () => {
    const w = world();
    await w.readModels.write(eventEnvelopes.name, [
      { id: ID, doc: { body: 'emptied' } as never, version: ERASED },
    ]);
    for (const [oneStore, absent] of [
      [false, true],
      [false, false],
      [true, true],
    ]) {
      const kept = await w.book(oneStore)(absent);
      expect([kept?.erased, kept?.envelope.body]).to.deep.equal([true, 'emptied']);
    }
  });

  it('gives what it kept itself, where the feed saw none and comes late', async () => {
    const w = world();
    const keep = w.book(true);
    const mine = await keep();
    await mine?.durable;
    Object.assign(w.input.history[0]!.record.meta, { occurred_at: 'later' });
    await w.clock.advance(1_000);
    const late = await keep(true);
    await late?.durable;
    expect(late?.envelope.body).to.equal(w.stored());
    expect((await keep())?.envelope.body).to.equal(w.stored());
  });

  it('fills a gap, which then leaves the list', async () => {
    const w = world();
    const gap = { body: null };
    await w.readModels.write(eventEnvelopes.name, [{ id: ID, doc: gap as never, version: GAP }]);
    await w.readModels.write(eventGaps.name, [{ id: ID, doc: gap as never, version: GAP }]);
    expect((await w.book()())?.envelope.body)
      .to.equal(w.stored())
      .and.to.be.a('string');
    expect(w.readModels.all(eventGaps.name).size).to.equal(0);
  });
});
