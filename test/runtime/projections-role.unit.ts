import { expect } from 'chai';
import { createLeases } from '../../adapters/embedded/leases.js';
import { silentLogger } from '../../ports/logger.js';
import { createShownHere } from '../../projections/shown-here.js';
import { createSkips } from '../../projections/skips.js';
import { startProjectionsRole } from '../../runtime/projections-role.js';
import { notes, notesProjection, plainCodec, rebuilt } from '../projections/history-of-notes.js';
import { appOver, type Stores } from '../support/app.js';

describe('the role `projections`', () => {
  /** Two processes over the same stores and leases. */
  function processes() {
    const world = notes([notesProjection('lists'), notesProjection('strikes', ['Struck'])]);
    const { store, clock, projections } = world;
    // There are no rebuild jobs, and no events are skipped.
    const readModels = { ...world.readModels, find: async () => ({ documents: [], next: null }) };
    const leases = createLeases();
    const start = () =>
      startProjectionsRole(
        appOver({ store, readModels } as unknown as Stores, {
          codec: plainCodec,
          leases,
          clock,
          logger: silentLogger,
        }),
        projections,
        {
          skips: createSkips({ readModels, clock }),
          onProgress: (position) => world.progress.push(position),
          shownHere: createShownHere(clock),
          relays: false,
          sweepIntents: () => ({ stop: async () => undefined }),
        },
      );
    return { world, leases, start };
  }

  it('is carried out by one process, and by another one when that one has stopped', async () => {
    const { world, leases, start } = processes();
    const [first, second] = [start(), start()];
    await world.note('a');
    await world.clock.advance(5_000);
    const [lists] = world.projections;
    expect(world.docs(lists!)).to.deep.equal(rebuilt(lists!, world.store.records));
    expect(world.progress.at(-1)).to.equal(world.store.records.at(-1)!.position);

    await first.stop();
    await world.note('a');
    await world.clock.advance(5_000);
    expect(world.docs(lists!)).to.deep.equal(rebuilt(lists!, world.store.records));
    expect((await leases.holders()).map(({ name }) => name)).to.have.members(['projections', 'intents']);

    await second.stop();
    expect(await leases.holders()).to.deep.equal([]);
    expect(world.clock.pending()).to.equal(0);
  });

  it('says what a projection fails at, as long as this process has the projections', async () => {
    const { world, start } = processes();
    world.projections[0]!.poison.add(1);
    const [first, second] = [start(), start()];
    await world.note('a');
    await world.clock.advance(5_000);
    expect([...first.errors().keys()]).to.deep.equal(['lists']);
    expect([...second.errors().keys()]).to.deep.equal([]);

    await first.stop();
    await world.clock.advance(5_000);
    expect([...first.errors().keys()]).to.deep.equal([]);
    expect([...second.errors().keys()]).to.deep.equal(['lists']);
    await second.stop();
  });
});
