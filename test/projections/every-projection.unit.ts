/** Properties that every projection has. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createRegistry } from '../../domain/catalog.js';
import { AUDITED } from '../../domain/policies/audit.js';
import { examples } from '../support/examples/all.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { exampleIds } from '../support/examples/example.js';
import { projections } from '../../projections/catalog.js';
import { collections } from '../../projections/follow.js';
import { documentIds, foldBatch } from '../../projections/fold.js';
import { checkpointName, collectionOf, liveOf, type AnyProjection } from '../../projections/projection.js';
import { Documents, handled, history, project } from '../support/projections.js';
import { runs } from '../support/soak.js';

const registry = createRegistry();

/** Histories over two streams of every aggregate, their events in any order, valid or not. */
const streams = examples.flatMap(({ aggregate, events }) =>
  [1, 2].flatMap((n) =>
    Object.values(events).map((event): readonly [string, DomainEvent] => [
      aggregate.stream.toName(deriveId(aggregate.stream.category, n)),
      event,
    ]),
  ),
);
/** Documents that several streams feed are named inside the events, so those streams exist too. */
const shared: readonly (readonly [string, DomainEvent])[] = examples.flatMap(({ aggregate, events }) => {
  const { category } = aggregate.stream;
  if (category !== 'contact' && category !== 'conversation') return [];
  return Object.values(events).map(
    (event) => [aggregate.stream.toName(exampleIds[category]), event] as const,
  );
});
const anyHistory = fc
  .array(fc.constantFrom(...streams, ...shared), { minLength: 1, maxLength: 60, size: 'max' })
  .map((events) => history(...events));

describe('every projection', () => {
  it('has its own name, collection and checkpoint', () => {
    const names = projections.map(checkpointName);
    expect(new Set(names).size).to.equal(projections.length);
    for (const projection of projections) {
      expect(checkpointName(projection)).to.equal(`${projection.name}@${projection.version}`);
      expect(collectionOf(liveOf(projection))).to.include({
        name: projection.name,
        version: projection.version,
      });
    }
  });

  it('is brought up at a start as whichever copy is live, not as one copy of them', () => {
    const started = collections(projections);
    expect(started.map(({ name }) => name)).to.have.members([
      ...projections.map(({ name }) => name),
      'projections',
    ]);
    for (const collection of started) expect(collection, collection.name).to.not.have.property('generation');
  });

  for (const projection of projections) {
    describe(projection.name, () => {
      it('handles event types that exist', () => {
        for (const type of projection.handles)
          expect(registry.definition(type), type).to.not.equal(undefined);
      });

      it('makes at least one document of the examples, with every indexed field a plain value', () => {
        const documents = Object.values(project(projection, creating(projection)));
        expect(documents).to.not.be.empty;
        for (const doc of documents) {
          for (const field of Object.values(projection.indexes).flat()) {
            const value = doc[field];
            const plain = value === null || typeof value === 'string' || typeof value === 'number';
            expect(plain, `${field} is ${String(value)}`).to.equal(true);
          }
        }
      });

      it('comes out the same whole, one by one, in any batches, and with batches repeated', () => {
        let compared = 0;
        fc.assert(
          fc.property(
            anyHistory,
            fc.array(fc.integer({ min: 1, max: 9 })),
            fc.infiniteStream(fc.boolean()),
            (all, sizes, repeat) => {
              const events = handled(projection, all);
              const expected = project(projection, all);
              const single = new Documents();
              for (const event of events) single.write(foldBatch(projection, [event], single.load));
              expect(single.all()).to.deep.equal(expected);
              const batched = new Documents();
              let from = 0;
              for (const size of [...sizes, events.length]) {
                const batch = events.slice(from, from + size);
                batched.write(foldBatch(projection, batch, batched.load));
                if (repeat.next().value) batched.write(foldBatch(projection, batch, batched.load));
                from += size;
              }
              expect(batched.all()).to.deep.equal(expected);
              compared += Object.keys(expected).length;
            },
          ),
          { numRuns: runs(60) },
        );
        expect(compared, 'documents compared').to.be.greaterThan(0);
      });

      it('writes nothing for events it has already applied', () => {
        fc.assert(
          fc.property(anyHistory, (all) => {
            const events = handled(projection, all);
            const documents = new Documents();
            const writes = foldBatch(projection, events, documents.load);
            documents.write(writes);
            const removed = new Set(writes.filter((w) => w.doc === null).map((w) => w.id));
            const again = foldBatch(projection, events, documents.load);
            // A removed document cannot be loaded; the store's guard refuses these writes (see ports/read-models).
            expect(again.filter((w) => !removed.has(w.id))).to.deep.equal([]);
            const before = documents.all();
            documents.write(again);
            expect(documents.all()).to.deep.equal(before);
          }),
          { numRuns: runs(60) },
        );
      });

      it('writes each document once per batch, and names beforehand every document it loads', () => {
        fc.assert(
          fc.property(anyHistory, (all) => {
            const events = handled(projection, all);
            const loaded: string[] = [];
            const writes = foldBatch(projection, events, (id) => {
              loaded.push(id);
              return undefined;
            });
            expect(loaded).to.deep.equal([...documentIds(projection, events)]);
            const ids = writes.map((w) => w.id);
            expect(new Set(ids).size).to.equal(ids.length);
          }),
          { numRuns: runs(30) },
        );
      });

      it('makes nothing of an event it does not know, and keeps the document it has', () => {
        const unknown = { type: 'SomethingOfTheFuture', data: {} };
        const { category } = categoryOf(projection.handles[0]!);
        const [recorded] = history([`${category}-${exampleIds.contact}`, unknown]);
        if (!single.has(projection.name)) {
          expect(projection.evolve(undefined, recorded!, exampleIds.contact)).to.equal(null);
          const [doc] = Object.values(project(projection, creating(projection)));
          expect(projection.evolve(doc, recorded!, exampleIds.contact)).to.equal(doc);
        } else {
          expect(projection.handles, 'one event type, so there is no other to tell apart').to.have.length(1);
        }
      });

      it('makes nothing of an event about a document that is not there, unless that event makes it', () => {
        for (const [name, event] of streams) {
          if (!projection.handles.includes(event.type)) continue;
          const [recorded] = history([name, event]);
          const doc = projection.evolve(undefined, recorded!, exampleIds.contact);
          expect(doc !== null, event.type).to.equal(CREATING.has(`${projection.name}/${event.type}`));
        }
      });
    });
  }
});

/** Projections of one event type never receive another. */
const single = new Set(['channel_pacing', 'parked_updates', 'sends', 'send_labels', 'refused_sends']);

/** The event types that create a document, as projection/type. */
const CREATING: ReadonlySet<string> = new Set([
  'companies/CompanyRegistered',
  'integrations/IntegrationRegistered',
  'api_keys/ApiKeyIssued',
  'webhook_endpoints/WebhookEndpointAdded',
  'webhook_endpoints/WebhookEndpointChanged',
  'event_feeds/EventFeedSwitched',
  'event_feeds/WebhookEndpointAdded',
  'channels/ChannelConnected',
  'templates/TemplateImported',
  'contacts/ContactCreated',
  'conversations/ConversationOpened',
  'messages/MessageQueued',
  'messages/MessageReceived',
  'messages/MessageEchoed',
  'messages/MessageImported',
  'messages/NoteWritten',
  'messages/SystemNoticeRecorded',
  'messages/StoreOrderRecorded',
  'orders/OrderPlaced',
  'team/TeamMemberAdded',
  'saved_replies/SavedReplyAdded',
  'erasures/ErasureRequested',
  'products/ProductCreated',
  'store_images/ProductCreated',
  'stores/StoreOpened',
  'flows/FlowCreated',
  'executions/ExecutionCreated',
  'operations/SendAccepted',
  'operations/FlowExecutionAccepted',
  'channel_pacing/SendAttempted',
  'parked_updates/ProviderUpdateParked',
  'sends/SendAccepted',
  'send_labels/SendAccepted',
  'refused_sends/SendRefused',
  'failed_messages/SendFailed',
  'failed_messages/MessageStatusReported',
  ...AUDITED.map((type) => `audit/${type}`),
]);

function categoryOf(type: string) {
  return examples.find((e) => e.aggregate.events.some((d) => d.type === type))!.aggregate.stream;
}

/** The first example of each handled event type that creates a document, on a stream of its own. */
function creating({ name: projection, handles }: Pick<AnyProjection, 'name' | 'handles'>) {
  return history(
    ...streams.filter(
      ([name, event]) =>
        handles.includes(event.type) &&
        name.endsWith(deriveId(name.split('-')[0]!, 1)) &&
        CREATING.has(`${projection}/${event.type}`),
    ),
  );
}
