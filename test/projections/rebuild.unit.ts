/** Builds of new generations of projections, and events that an operator skips, over a toy history. */
import { expect } from 'chai';
import fc from 'fast-check';
import { UnreadableDocument } from '../../ports/read-models.js';
import { projectionSkips } from '../../read-models/projection-skips.js';
import { build, type BuildDeps } from '../../projections/build.js';
import { ProjectionFailed } from '../../projections/fold.js';
import { addressOf, type Target } from '../../projections/projection.js';
import { catchUp } from '../../projections/runner.js';
import { createSkips, recordSkip, type Skips } from '../../projections/skips.js';
import { verify } from '../../projections/rebuild/verify.js';
import { failure } from '../conformance/support.js';
import { temporaryStore } from '../conformance/embedded.js';
import { systemClock } from '../../adapters/clock/system.js';
import { notes, notesProjection, plainCodec, rebuilt, type Notes } from './history-of-notes.js';
import { runs } from '../support/soak.js';

const deps = (world: Notes, skips?: Skips): BuildDeps => ({
  store: world.store,
  readModels: world.readModels,
  codec: plainCodec,
  pause: () => Promise.resolve(),
  clock: systemClock,
  ...(skips ? { skips } : {}),
});

const docsAt = (world: Notes, target: Target): Record<string, unknown> =>
  Object.fromEntries(
    [...world.readModels.all(addressOf(target))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { doc }]) => [id, doc['ns']]),
  );

/** Read models of a store in which one document is no longer valid JSON. */
function withDamaged({ readModels }: Notes, id: string): Notes['readModels'] {
  const refuse = (ids: readonly string[]): void => {
    if (ids.includes(id)) throw new UnreadableDocument('lists', { id, version: '1' });
  };
  return {
    ...readModels,
    get: async (collection, wanted) => {
      refuse([wanted]);
      return readModels.get(collection, wanted);
    },
    getMany: async (collection, ids) => {
      refuse(ids);
      return readModels.getMany(collection, ids);
    },
  };
}

describe('building copies of projections', () => {
  it('comes out as folding from scratch does, wherever it is broken off and whatever is appended meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ about: fc.constantFrom('a', 'b', 'c'), struck: fc.boolean() }), {
          minLength: 1,
          maxLength: 400,
          size: 'max',
        }),
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
        fc.integer({ min: 0, max: 150 }),
        async (story, stops, late) => {
          const projections = [notesProjection('lists'), notesProjection('both', ['Noted', 'Struck'])];
          const world = notes(projections);
          for (const { about, struck } of story) await world.note(about, struck ? 'Struck' : 'Noted');
          const targets = projections.map((projection) => ({ projection, generation: 2 }));
          let appended = 0;
          for (const stop of stops) {
            let pages = 0;
            await build(
              targets,
              {
                ...deps(world),
                pause: async () => {
                  if (appended++ < late) await world.note('late');
                },
              },
              { goesOn: () => (pages += 1) < stop },
            );
          }
          const { complete, failed } = await build(targets, deps(world));
          expect([complete, failed.size]).to.deep.equal([true, 0]);
          for (const target of targets) {
            expect(docsAt(world, target)).to.deep.equal(rebuilt(target.projection, world.store.records));
            expect(world.readModels.standsAt(addressOf(target))).to.equal(
              world.store.records.at(-1)!.position,
            );
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });

  // Pages are 300 events: the first document is written, and two pages later it is no longer cached.
  const seldom = async (world: Notes): Promise<void> => {
    for (let n = 0; n < 2_000; n += 1) await world.note(n % 900 === 0 ? 'seldom' : `x${n}`);
  };
  const held = { documents: 1, bytes: Infinity, events: Infinity };

  it('goes on with what it wrote long before', async () => {
    const projection = notesProjection('lists');
    const world = notes([projection]);
    const target = { projection, generation: 2 };
    await seldom(world);
    await build([target], deps(world), { held });
    expect(docsAt(world, target)).to.deep.equal(rebuilt(projection, world.store.records));
  });

  it('takes what a run that was broken off wrote beyond its checkpoint for what it is', async () => {
    const projection = notesProjection('lists');
    const world = notes([projection]);
    const target = { projection, generation: 2 };
    await seldom(world);
    const lost = new Error('the checkpoint was not written');
    const readModels = { ...world.readModels, commit: () => Promise.reject(lost) };
    expect(await failure(build([target], { ...deps(world), readModels }))).to.equal(lost);
    await build([target], deps(world), { held });
    expect(docsAt(world, target)).to.deep.equal(rebuilt(projection, world.store.records));
  });

  it('stops the one projection right before the event that it can not apply, and takes the others on', async () => {
    const [bad, good] = [notesProjection('bad'), notesProjection('good')];
    const world = notes([bad, good]);
    for (let n = 0; n < 250; n += 1) await world.note(`x${n % 3}`);
    bad.poison.add(133);
    const targets = [bad, good].map((projection) => ({ projection, generation: 2 }));
    const { failed, complete } = await build(targets, deps(world));
    expect(complete).to.equal(true);
    expect([...failed.values()].map(({ projection, record }) => [projection, record.stream])).to.deep.equal([
      ['bad', 'note-133'],
    ]);
    const before = world.store.records[131]!.position;
    expect(world.readModels.standsAt('bad@1#2')).to.equal(before);
    expect(docsAt(world, targets[0]!)).to.deep.equal(rebuilt(bad, world.store.records, before));
    expect(docsAt(world, targets[1]!)).to.deep.equal(rebuilt(good, world.store.records));
  });

  it('stops before the first event of a document that can not be read, and applies what is before it', async () => {
    const lists = notesProjection('lists');
    const world = notes([lists]);
    const target = { projection: lists, generation: 1 };
    for (const about of ['a', 'b']) await world.note(about);
    await catchUp(lists, deps(world));
    for (const about of ['a', 'b', 'a']) await world.note(about);
    const damaged = deps({ ...world, readModels: withDamaged(world, 'b') });
    const stopped = await failure(catchUp(lists, damaged));
    expect(stopped).to.be.instanceOf(ProjectionFailed);
    expect((stopped as ProjectionFailed).record.eventId).to.equal('note-4');
    expect(stopped.message).to.include('recado projections rebuild lists');
    expect(world.docs(lists)).to.deep.equal({ a: [1, 3], b: [2] });
    const { failed } = await build([target], damaged);
    expect([...failed.values()].map(({ record }) => record.eventId)).to.deep.equal(['note-4']);
  });

  it('leaves out what an operator took out, also when it is built anew', async () => {
    const temporary = await temporaryStore();
    try {
      const lists = notesProjection('lists');
      const world = notes([lists]);
      for (let n = 0; n < 5; n += 1) await world.note('a');
      lists.poison.add(3);
      const skips = createSkips({ readModels: temporary.store.readModels, clock: systemClock });
      await skips.refresh();
      const stopped = await failure(catchUp(lists, { ...deps(world), skips }));
      expect(stopped).to.be.instanceOf(ProjectionFailed);
      const { record } = stopped as ProjectionFailed;
      expect(record).to.include({ eventId: 'note-3', type: 'Noted' });
      expect(world.docs(lists)).to.deep.equal({ a: [1, 2] });
      await temporary.store.readModels.define(projectionSkips);
      await recordSkip(temporary.store.readModels, {
        projection: 'lists',
        event_id: record.eventId,
        event_type: record.type,
        stream: record.stream,
        position: record.position,
        reason: 'faulty',
        error: stopped.message,
        skipped_by: 'admin',
        skipped_at: '2026-01-01T00:00:00.000Z',
      });
      await skips.refresh();
      await catchUp(lists, { ...deps(world), skips });
      expect(world.docs(lists)).to.deep.equal({ a: [1, 2, 4, 5] });
      const target = { projection: lists, generation: 2 };
      await build([target], deps(world, skips));
      expect(docsAt(world, target)).to.deep.equal({ a: [1, 2, 4, 5] });
      const other = { projection: notesProjection('other'), generation: 2 };
      await build([other], deps(world, skips));
      expect(docsAt(world, other), 'of another projection').to.deep.equal({ a: [1, 2, 3, 4, 5] });
    } finally {
      await temporary.close();
    }
  });
});

describe('holding copies against each other', () => {
  const options = { sample: null, goesOn: () => true, pause: () => Promise.resolve() };

  it('finds what differs, is missing or is too much, and shows no text', async () => {
    const world = notes([]);
    const put = (generation: number, id: string, doc: object, version = '1') =>
      world.readModels.write(`lists@1#${generation}`, [{ id, doc: { ...doc }, version }]);
    for (let n = 0; n < 450; n += 1) {
      const id = `d${String(n).padStart(3, '0')}`;
      await put(1, id, { n, name: 'Maria' });
      if (n !== 77) await put(2, id, n === 301 ? { n, name: 'Marta', status: 'new' } : { n, name: 'Maria' });
    }
    await put(2, 'zz', { n: 1 });
    // An erasure changes a document without an event.
    await put(1, 'd005', { n: 5, name: null }, '1~');
    await put(2, 'd005', { n: 5, name: null }, '1~~');
    const found = await verify(world.readModels, 'lists@1#1', 'lists@1#2', options);
    expect(found).to.deep.equal({
      full: true,
      rows_old: 450,
      rows_new: 450,
      compared: 451,
      different: 3,
      missing: 1,
      added: 1,
      unreadable: 0,
      differences: [
        { id: 'd077', pointer: '', old: 'a document', new: null },
        { id: 'd301', pointer: '/name', old: 'a text of 5', new: 'a text of 5' },
        { id: 'd301', pointer: '/status', old: null, new: '"new"' },
        { id: 'zz', pointer: '', old: null, new: 'a document' },
      ],
    });
    expect(JSON.stringify(found)).to.not.include('Mar');
  });

  it('counts apart what can not be read in the old copy, unless the new one lacks it', async () => {
    const world = notes([]);
    for (const generation of [1, 2]) {
      for (const id of ['a', 'b', 'c']) {
        const doc = { n: id === 'a' ? generation : 0 };
        await world.readModels.write(`lists@1#${generation}`, [{ id, doc, version: '1' }]);
      }
    }
    await world.readModels.write('lists@1#2', [{ id: 'c', doc: null, version: '2' }]);
    const found = async (id: string) => {
      const damaged = withDamaged(world, id);
      const getMany: typeof damaged.getMany = (collection, ids) =>
        (collection.endsWith('#1') ? damaged : world.readModels).getMany(collection, ids);
      return verify({ ...damaged, getMany }, 'lists@1#1', 'lists@1#2', options);
    };
    expect(await found('a')).to.include({ unreadable: 1, different: 1, missing: 1 });
    expect(await found('c')).to.include({ unreadable: 0, different: 2, missing: 1 });
  });

  it('waits for what only one of the two shows so far', async () => {
    const world = notes([]);
    await world.readModels.write('lists@1#1', [{ id: 'a', doc: { n: 1 }, version: '2' }]);
    await world.readModels.write('lists@1#2', [{ id: 'a', doc: { n: 0 }, version: '1' }]);
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
      if (pauses === 4) await world.readModels.write('lists@1#2', [{ id: 'a', doc: { n: 1 }, version: '2' }]);
    };
    const found = await verify(world.readModels, 'lists@1#1', 'lists@1#2', { ...options, pause });
    expect(found).to.include({ different: 0, compared: 1 });
  });
});
