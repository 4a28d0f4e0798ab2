/** Whether one projection shows an event, beside others that go on without it. */
import { expect } from 'chai';
import { StoreUnavailable, type Position } from '../../ports/event-store.js';
import { createShown } from '../../projections/shown.js';
import { notes, notesProjection, type Notes } from './history-of-notes.js';

const positionOf = (world: Notes, n: number): Position => world.store.records[n - 1]!.position;

describe('what one projection shows', () => {
  it('is everything before the event that it can not apply, whatever the others show', async () => {
    const [endpoints, others] = [notesProjection('endpoints', ['Struck']), notesProjection('others')];
    const world = notes([endpoints, others]);
    endpoints.poison.add(3);
    const shown = createShown(endpoints, world);
    await world.note('a');
    await world.note('a', 'Struck');
    const following = world.start();
    await world.clock.advance(100);
    expect(await shown(positionOf(world, 2))).to.equal(true);
    await world.note('a', 'Struck');
    await world.note('a');
    await world.clock.advance(5_000);
    expect(world.docs(others), 'the others go on').to.deep.equal({ a: [1, 4] });
    const answers = await Promise.all([2, 3, 4].map((n) => shown(positionOf(world, n))));
    expect(answers).to.deep.equal([true, false, false]);
    // A process that starts meanwhile finds the same.
    expect(await createShown(endpoints, world)(positionOf(world, 4))).to.equal(false);

    endpoints.poison.clear();
    await world.clock.advance(5_000);
    expect(await shown(positionOf(world, 4))).to.equal(true);
    await following.stop();
  });

  it('includes what does not concern it, before its own checkpoint has moved', async () => {
    const endpoints = notesProjection('endpoints', ['Struck']);
    const world = notes([endpoints]);
    const shown = createShown(endpoints, world);
    for (let n = 0; n < 450; n += 1) await world.note('a');
    expect(world.readModels.standsAt('endpoints@1')).to.equal('');
    expect(await shown(positionOf(world, 450))).to.equal(true);
    await world.note('a', 'Struck');
    expect(await shown(positionOf(world, 451))).to.equal(false);
    expect(await shown(positionOf(world, 450)), 'what was there before').to.equal(true);
  });

  it('is asked of the stores once for those who ask together, and again after a failure', async () => {
    const endpoints = notesProjection('endpoints', ['Struck']);
    const world = notes([endpoints]);
    for (let n = 0; n < 3; n += 1) await world.note('a');
    let reads = 0;
    let away = true;
    const readAll: Notes['store']['readAll'] = (options) => {
      reads += 1;
      if (away) return Promise.reject(new StoreUnavailable('away'));
      return world.store.readAll(options);
    };
    const shown = createShown(endpoints, { store: { readAll }, readModels: world.readModels });
    const ask = () => Promise.allSettled([1, 2, 3].map((n) => shown(positionOf(world, n))));
    expect((await ask()).map(({ status }) => status)).to.deep.equal(Array(3).fill('rejected'));
    expect(reads).to.equal(1);
    away = false;
    expect((await ask()).map((answer) => answer.status === 'fulfilled' && answer.value)).to.deep.equal(
      Array(3).fill(true),
    );
    expect(reads).to.equal(2);
    await shown(positionOf(world, 2));
    expect(reads, 'what is known is not asked again').to.equal(2);
  });
});
