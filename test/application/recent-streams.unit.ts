import { expect } from 'chai';
import { withRecentStreams } from '../../application/recent-streams.js';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { exampleIds } from '../support/examples/example.js';
import type { EventStore, NewRecord } from '../../ports/event-store.js';
import { memoryEventStore } from '../support/memory/event-store.js';
import { memoryPersonalKeys } from '../support/memory/personal-keys.js';

const STREAM = 'message-1';
const record = (n: number, text = ''): NewRecord => ({
  eventId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  type: 'Happened',
  data: { n, text },
  meta: {
    correlation_id: 'c',
    causation_id: 'c',
    command_id: `command-${n}`,
    actor: 'admin',
    company: exampleIds.company,
    occurred_at: '2026-03-02T12:00:00.000Z',
    schema_version: 1,
  },
});

function watched(most?: number) {
  const inner = memoryEventStore();
  let reads = 0;
  const counted: EventStore = {
    ...inner,
    read: (...args) => {
      reads += 1;
      return inner.read(...args);
    },
  };
  return { inner, store: withRecentStreams(counted, most), reads: () => reads };
}

describe('streams of a moment ago', () => {
  it('are read up to a revision as they lie in the store, without asking it', async () => {
    const { inner, store, reads } = watched();
    await store.append(STREAM, 'no_stream', [record(0)]);
    await store.append(STREAM, 0, [record(1)]);
    const both = await store.read(STREAM, { limit: 2 });
    expect(both).to.deep.equal(await inner.read(STREAM));
    expect(await store.read(STREAM, { from: 1, limit: 1 })).to.deep.equal(both.slice(1));
    expect(await store.read(STREAM, { limit: 1 })).to.deep.equal(both.slice(0, 1));
    expect(reads()).to.equal(0);
  });

  it('are asked of the store where somebody wants all of them, or more than is known', async () => {
    const { inner, store, reads } = watched();
    await store.append(STREAM, 'no_stream', [record(0)]);
    await inner.append(STREAM, 0, [record(1)]);
    expect(await store.read(STREAM, { limit: 2 })).to.have.length(2);
    expect(await store.read(STREAM)).to.have.length(2);
    expect(reads()).to.equal(2);
    expect(await store.read(STREAM, { limit: 2 })).to.have.length(2);
    expect(reads()).to.equal(2);
  });

  it('have no holes: what another process wrote in between is read', async () => {
    const { inner, store } = watched();
    await store.append(STREAM, 'no_stream', [record(0)]);
    await inner.append(STREAM, 0, [record(1)]);
    await store.append(STREAM, 1, [record(2)]);
    const read = await store.read(STREAM, { limit: 3 });
    expect(read.map(({ revision, data }) => [revision, data['n']])).to.deep.equal([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('do not hold events whose places are not known: several of one append, and repeated ones', async () => {
    const { inner, store, reads } = watched();
    await store.append(STREAM, 'no_stream', [record(0), record(1)]);
    await store.append(STREAM, 1, [record(2)]);
    expect(await store.read(STREAM, { limit: 3 })).to.deep.equal(await inner.read(STREAM));
    expect(reads()).to.equal(1);
    const other = withRecentStreams({
      ...inner,
      append: async (...args) => ({ ...(await inner.append(...args)), repeated: true }),
    });
    await other.append('message-2', 'no_stream', [record(3)]);
    await inner.append('message-2', 0, [record(4)]);
    expect(await other.read('message-2', { limit: 2 })).to.have.length(2);
  });

  it('keep nothing in the clear: who was erased elsewhere is not read again', async () => {
    const keys = memoryPersonalKeys();
    let now = 0;
    const codec = createCodec(createRegistry(), keys, { keysFreshMs: 5_000, monotonic: () => now });
    const { store } = watched();
    const event = {
      type: 'ContactNamed',
      data: { source: 'profile', name: 'Beatriz Souza' },
    } as const;
    const sealed = await codec.encode(event, record(0).eventId, record(0).meta, exampleIds.subject);
    await store.append(STREAM, 'no_stream', [sealed]);
    await keys.destroy(exampleIds.subject);
    now = 5_000;
    const [found] = await codec.decodeAll(await store.read(STREAM, { limit: 1 }));
    expect(JSON.stringify(found!.event.data)).to.not.include('Beatriz');
  });

  it('are not kept where they are large', async () => {
    const { store, reads } = watched(10_000);
    await store.append(STREAM, 'no_stream', [record(0, 'x'.repeat(10_000))]);
    await store.read(STREAM, { limit: 1 });
    expect(reads()).to.equal(1);
  });
});
