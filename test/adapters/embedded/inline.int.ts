/** Inline projections and the relay: they run in the append's transaction and can never make the append fail. */
import { expect } from 'chai';
import type { InlineProjection } from '../../../adapters/embedded/inline.js';
import { START, StoreUnavailable } from '../../../ports/event-store.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { failure, record, streamName } from '../../conformance/support.js';
import { notes, relay } from './notes.js';

describe('embedded store: inline projections and relay', () => {
  let temporary: TemporaryStore;
  const store = () => temporary.store;
  const note = (n: number) => record({ n }, 'Noted');
  const checkpoint = (name = 'notes') => store().readModels.checkpoint(name);
  const head = () => store().eventStore.head();

  afterEach(() => temporary.close());

  it('are done when the append is, in the same transaction', async () => {
    temporary = await temporaryStore({ inline: { projections: [notes], relay } });
    const stream = streamName('note');
    const before = store().stats().commits;
    const { position } = await store().eventStore.append(stream, 'no_stream', [note(1), note(2)]);
    const found = await store().readModels.get('notes', stream);
    expect(found).to.deep.equal({ id: stream, doc: { n: 2, times: 2 }, version: position });
    expect(await checkpoint()).to.equal(position);
    expect(store().stats().commits - before).to.equal(1);
    const got: unknown[] = [];
    const consumer = store().topics.consume({
      topic: 'notes',
      group: 'g',
      handle: async (batch) => void got.push(...batch.map(({ value }) => value['revision'])),
    });
    await consumer.caughtUp();
    expect(got).to.deep.equal([0, 1]);
  });

  it('get the very data object that was appended', async () => {
    const seen: unknown[] = [];
    const relayed: unknown[] = [];
    const spy: InlineProjection = {
      ...notes,
      apply: (records) => {
        seen.push(...records.map(({ data }) => data));
        return [];
      },
    };
    temporary = await temporaryStore({
      inline: {
        projections: [spy],
        relay: ({ data }) => {
          relayed.push(data);
          return [];
        },
      },
    });
    const one = note(1);
    await store().eventStore.append(streamName(), 'no_stream', [one]);
    expect(seen[0]).to.equal(one.data);
    expect(relayed[0]).to.equal(one.data);
    const page = await store().eventStore.readAll({ after: START, limit: 10 });
    expect(page.records[0]!.data, 'a reader that keeps up gets it too').to.equal(one.data);
  });

  it('see nothing of an append that was refused', async () => {
    temporary = await temporaryStore({ inline: { projections: [notes], relay } });
    const stream = streamName('note');
    const [won, lost] = await Promise.allSettled([
      store().eventStore.append(stream, 'no_stream', [note(1)]),
      store().eventStore.append(stream, 'no_stream', [note(2)]),
    ]);
    expect([won.status, lost.status]).to.deep.equal(['fulfilled', 'rejected']);
    expect((await store().readModels.get('notes', stream))?.doc.times).to.equal(1);
  });

  it('move the checkpoint also over events that do not concern them', async () => {
    temporary = await temporaryStore({ inline: { projections: [notes] } });
    await store().eventStore.append(streamName(), 'no_stream', [record({}, 'SomethingElse')]);
    expect(await checkpoint()).to.equal(await head());
    await temporary.restart();
    expect(await checkpoint()).to.equal(await head());
    expect(store().stats().behind).to.deep.equal([]);
  });

  it('that throw harm neither the append nor others, fall behind, and join again once brought up', async () => {
    let broken = true;
    const failing: InlineProjection = {
      ...notes,
      name: 'failing',
      collection: { ...notes.collection, name: 'failing' },
      apply: (records, load) => {
        if (broken) throw new Error('cannot');
        return notes.apply(records, load);
      },
    };
    const errors: unknown[] = [];
    temporary = await temporaryStore({
      inline: { projections: [failing, notes], relay },
      onProjectionError: (projection, error, position) =>
        errors.push([projection, (error as Error).message, position]),
    });
    const stream = streamName('note');
    await store().eventStore.append(streamName(), 'no_stream', [record({}, 'SomethingElse')]);
    const good = await head();
    const { position } = await store().eventStore.append(stream, 'no_stream', [note(1)]);
    expect(errors).to.deep.equal([['failing', 'cannot', position]]);
    expect(await checkpoint('notes')).to.equal(position);
    expect(await store().readModels.get('notes', stream)).to.not.equal(undefined);
    expect(await checkpoint('failing')).to.equal(good);
    expect(store().stats().behind).to.deep.equal(['failing']);

    await store().eventStore.append(stream, 0, [note(2)]);
    expect(errors, 'one that is behind is left alone').to.have.length(1);
    broken = false;
    const missed = await store().eventStore.readAll({ after: good, limit: 10 });
    await store().readModels.commit('failing', {
      projection: 'failing',
      from: good,
      to: missed.next,
      writes: notes.apply(missed.records, () => undefined),
    });
    await store().eventStore.append(stream, 1, [note(3)]);
    expect(store().stats().behind).to.deep.equal([]);
    expect(await checkpoint('failing')).to.equal(await head());
    expect((await store().readModels.get('failing', stream))?.doc.times).to.equal(3);
  });

  it('that can not read an event yet fall behind, which is no error', async () => {
    const errors: string[] = [];
    const waiting: InlineProjection = {
      ...notes,
      apply: () => {
        throw new StoreUnavailable('its key is asked for again');
      },
    };
    temporary = await temporaryStore({
      inline: { projections: [waiting] },
      onProjectionError: (projection) => errors.push(projection),
    });
    const before = await checkpoint();
    await store().eventStore.append(streamName('note'), 'no_stream', [note(1)]);
    expect(await checkpoint()).to.equal(before);
    expect(store().stats().behind).to.deep.equal(['notes']);
    expect(errors).to.deep.equal([]);
  });

  it('join in the very transaction in which a runner reaches the head', async () => {
    temporary = await temporaryStore({ inline: { projections: [] } });
    const stream = streamName('note');
    await store().eventStore.append(stream, 'no_stream', [note(1)]);
    await store().useInline({ projections: [notes] });
    expect(store().stats().behind).to.deep.equal(['notes']);
    const { records, next } = await store().eventStore.readAll({ after: START, limit: 10 });
    const writes = notes.apply(records, () => undefined);
    await Promise.all([
      store().eventStore.append(stream, 0, [note(2)]),
      store().readModels.commit('notes', { projection: 'notes', from: START, to: next, writes }),
    ]);
    expect(store().stats().behind).to.deep.equal([]);
    expect((await store().readModels.get('notes', stream))?.doc.times).to.equal(2);
  });

  it('that were left out for a while come back with the checkpoint they had', async () => {
    temporary = await temporaryStore({ inline: { projections: [notes] } });
    await store().eventStore.append(streamName(), 'no_stream', [note(1)]);
    const before = await head();
    await temporary.restart({ inline: { projections: [] } });
    await store().eventStore.append(streamName(), 'no_stream', [note(2)]);
    await temporary.restart({ inline: { projections: [notes] } });
    expect(await checkpoint()).to.equal(before);
    expect(store().stats().behind).to.deep.equal(['notes']);
  });

  it('keep their hands off an append whose relay or documents can not be written', async () => {
    const errors: string[] = [];
    const odd: InlineProjection = {
      ...notes,
      apply: (records) =>
        records.map(({ stream, position }) => ({ id: stream, doc: { n: {} }, version: position })),
    };
    temporary = await temporaryStore({
      inline: {
        projections: [odd],
        relay: () => [{ topic: 't', key: 'k', value: { big: 1n } }],
      },
      onProjectionError: (projection) => errors.push(projection),
    });
    await store().eventStore.append(streamName(), 'no_stream', [note(1)]);
    expect(errors).to.deep.equal(['notes', 'relay']);
    expect((await store().eventStore.readAll({ after: START, limit: 5 })).records).to.have.length(1);
  });

  it('join again after the transaction in which they joined has failed', async () => {
    temporary = await temporaryStore({ inline: { projections: [] } });
    const [one, two] = [streamName('note'), streamName('note')];
    await store().eventStore.append(one, 'no_stream', [note(1)]);
    let broken = true;
    const relayOnce = () => {
      // Violates a constraint when it is written, which breaks the transaction that the appends share.
      const topic = broken ? (null as unknown as string) : 't';
      broken = false;
      return [{ topic, key: 'k', value: {} }];
    };
    await store().useInline({ projections: [notes], relay: relayOnce });
    const { records, next } = await store().eventStore.readAll({ after: START, limit: 10 });
    const writes = notes.apply(records, () => undefined);
    await store().readModels.commit('notes', { projection: 'notes', from: START, to: next, writes });
    await Promise.all([
      store().eventStore.append(one, 0, [note(2)]),
      store().eventStore.append(two, 'no_stream', [note(3)]),
    ]);
    expect(broken, 'the shared transaction failed once').to.equal(false);
    expect(await checkpoint()).to.equal(await head());
    expect((await store().readModels.get('notes', one))?.doc.times).to.equal(2);
    expect((await store().readModels.get('notes', two))?.doc.times).to.equal(1);
  });

  it('refuses a collection nobody defined', async () => {
    temporary = await temporaryStore();
    expect((await failure(store().readModels.get('unknown', '1'))).message).to.match(/was not defined/);
  });
});
