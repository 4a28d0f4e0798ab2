/** A projection that has a long way to catch up, or cannot continue, beside others that can. */
import { expect } from 'chai';
import { START } from '../../ports/event-store.js';
import { IN_STEP } from '../../projections/in-step.js';
import { deferred } from '../conformance/support.js';
import { notes, notesProjection, rebuilt, type Notes, type NotesProjection } from './history-of-notes.js';

/** More events than one projection reads before the others continue. */
const LONG = 6_000;

/** Blocks one projection's checkpoint after `after` moves, until `letGo` is called. */
function stuck(name: string, after: number) {
  const held = deferred();
  let moves = 0;
  return {
    step: (kind: string, what: string) => {
      if (kind !== 'advance' || !what.startsWith(`${name}@`)) return undefined;
      moves += 1;
      return moves > after ? held.promise : undefined;
    },
    letGo: () => held.resolve(),
  };
}

async function history(world: Notes, events: number): Promise<void> {
  for (let n = 0; n < events; n += 1) await world.note('abc'[n % 3]!);
}

/** The projection as runners left it at the n-th event. */
async function leftAt(world: Notes, projection: NotesProjection, n: number): Promise<void> {
  const { position: to } = world.store.records[n - 1]!;
  const docs = Object.entries(rebuilt(projection, world.store.records, to));
  await world.readModels.commit(projection.name, {
    projection: `${projection.name}@1`,
    from: START,
    to,
    writes: docs.map(([id, ns]) => ({ id, doc: { ns }, version: to })),
  });
}

async function marked(world: Notes, n: number): Promise<void> {
  const { position: to } = world.store.records[n - 1]!;
  await world.readModels.commit('projections', { projection: IN_STEP, from: START, to, writes: [] });
}

function expectInStep(world: Notes, projection: NotesProjection, what: string): void {
  expect(world.docs(projection), what).to.deep.equal(rebuilt(projection, world.store.records));
}

describe('projections that are followed together', () => {
  for (const [what, begun] of [
    ['whose build was broken off', 1],
    ['that has nothing, as after a restore,', 0],
  ] as const) {
    it(`begin without one ${what} and has far to go`, async () => {
      const [far, near] = [notesProjection('far'), notesProjection('near')];
      const slow = stuck('far', 6);
      const world = notes([far, near], slow.step);
      await history(world, LONG);
      world.errors.set('far', 'not there yet');
      await leftAt(world, near, LONG);
      if (begun > 0) {
        await leftAt(world, far, begun);
        await marked(world, LONG);
      }
      const following = world.start();
      await world.clock.advance(5_000);
      await world.note('a');
      await world.clock.advance(1_000);
      expectInStep(world, near, 'it follows');
      expect(world.readModels.standsAt(IN_STEP)).to.equal(world.store.records.at(-1)!.position);
      expect(world.errors.get('far')).to.include('being caught up');

      slow.letGo();
      await world.clock.advance(5_000);
      expectInStep(world, far, 'it has come');
      expect([...world.errors]).to.deep.equal([]);
      await world.note('b');
      await world.clock.advance(1_000);
      expectInStep(world, far, 'it stays in step');
      expect(world.violations).to.deep.equal([]);
      await following.stop();
      expect(world.clock.pending()).to.equal(0);
    });
  }

  it('come back, and write down how far they are, while another one is being built', async () => {
    const [fresh, broken, quiet] = [
      notesProjection('fresh'),
      notesProjection('broken'),
      notesProjection('quiet', ['Struck']),
    ];
    const slow = stuck('fresh', 1);
    const world = notes([fresh, broken, quiet], slow.step);
    await history(world, 1_200);
    for (const projection of [broken, quiet]) await leftAt(world, projection, 1_200);
    world.errors.set('fresh', 'not there yet');
    await marked(world, 1_200);
    const following = world.start();
    await world.clock.advance(3_000);
    expect(world.docs(fresh), 'it is being built').to.not.deep.equal(rebuilt(fresh, world.store.records));

    broken.poison.add(1_201);
    await world.note('a');
    await world.clock.advance(3_000);
    expect(world.errors.get('broken')).to.equal('no way to apply 1201');
    broken.poison.clear();
    await world.clock.advance(5_000);
    expectInStep(world, broken, 'it is back');
    expect(world.readModels.standsAt('quiet@1')).to.equal(world.store.records.at(-1)!.position);
    expect([...world.errors.keys()]).to.deep.equal(['fresh']);

    slow.letGo();
    await world.clock.advance(5_000);
    expectInStep(world, fresh, 'it is built');
    expect(world.violations).to.deep.equal([]);
    await following.stop();
  });
});
