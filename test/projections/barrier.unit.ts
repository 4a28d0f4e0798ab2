/** Whether read models show an event, while others continue without them. */
import { expect } from 'chai';
import type { Barrier } from '../../application/barrier.js';
import { StoreUnavailable, type EventStore, type Position } from '../../ports/event-store.js';
import { ReadModelBehind } from '../../ports/read-models.js';
import { createBarrier, type BarrierDeps } from '../../projections/barrier.js';
import { catchUp } from '../../projections/runner.js';
import { createShownHere, LATELY_MS } from '../../projections/shown-here.js';
import { failure } from '../conformance/support.js';
import { turns } from '../support/fakes/manual-clock.js';
import { notes, notesProjection, plainCodec, type Notes, type NotesProjection } from './history-of-notes.js';

const positionOf = (world: Notes, n: number): Position => world.store.records[n - 1]!.position;

/** A barrier that counts its requests to the stores, and collects its reports of delayed read models. */
function barrierOf(world: Notes, over: Partial<BarrierDeps> = {}) {
  const asked = { history: 0, checkpoints: 0 };
  const said: string[] = [];
  const store: Pick<EventStore, 'readAll' | 'head'> = {
    readAll: (options) => {
      asked.history += 1;
      return world.store.readAll(options);
    },
    head: () => {
      asked.history += 1;
      return world.store.head();
    },
  };
  const barrier: Barrier = createBarrier(world.projections, {
    store,
    readModels: {
      checkpoint: (name) => {
        asked.checkpoints += 1;
        return world.readModels.checkpoint(name);
      },
    },
    clock: world.clock,
    onBehind: (model) => said.push(`behind: ${model}`),
    onPassed: (model) => said.push(`passed: ${model}`),
    ...over,
  });
  const shows = (name: string, n: number): Promise<boolean> => barrier.passed([name], positionOf(world, n));
  return { barrier, asked, said, shows };
}

const show = (world: Notes, projection: NotesProjection): Promise<number> =>
  catchUp(projection, { store: world.store, readModels: world.readModels, codec: plainCodec });

describe('the barrier', () => {
  describe('says what one read model shows:', () => {
    it('everything before the event that it can not apply, whatever the others show', async () => {
      const [endpoints, others] = [notesProjection('endpoints', ['Struck']), notesProjection('others')];
      const world = notes([endpoints, others]);
      endpoints.poison.add(3);
      const { shows } = barrierOf(world);
      await world.note('a');
      await world.note('a', 'Struck');
      const following = world.start();
      await world.clock.advance(100);
      expect(await shows('endpoints', 2)).to.equal(true);
      await world.note('a', 'Struck');
      await world.note('a');
      await world.clock.advance(5_000);
      expect(world.docs(others), 'the others go on').to.deep.equal({ a: [1, 4] });
      const answers = await Promise.all([2, 3, 4].map((n) => shows('endpoints', n)));
      expect(answers).to.deep.equal([true, false, false]);
      expect(await shows('others', 4)).to.equal(true);
      // A process that starts now gets the same result.
      expect(await barrierOf(world).shows('endpoints', 4)).to.equal(false);

      endpoints.poison.clear();
      await world.clock.advance(5_000);
      expect(await shows('endpoints', 4)).to.equal(true);
      await following.stop();
    });

    it('what does not concern it, before its own checkpoint has moved', async () => {
      const endpoints = notesProjection('endpoints', ['Struck']);
      const world = notes([endpoints]);
      const { shows } = barrierOf(world);
      for (let n = 0; n < 450; n += 1) await world.note('a');
      expect(world.readModels.standsAt('endpoints@1')).to.equal('');
      expect(await shows('endpoints', 450)).to.equal(true);
      await world.note('a', 'Struck');
      expect(await shows('endpoints', 451)).to.equal(false);
      expect(await shows('endpoints', 450), 'what was there before').to.equal(true);
    });

    it('nothing where it is empty and the history is not', async () => {
      const world = notes([notesProjection('empty')]);
      await world.note('a');
      await world.note('a', 'Struck');
      const { shows } = barrierOf(world);
      expect(await shows('empty', 1)).to.equal(false);
      expect(await shows('empty', 2)).to.equal(false);
    });

    it('all of a long history that came while nobody asked', async () => {
      const [notable, struck] = [notesProjection('notable'), notesProjection('struck', ['Struck'])];
      const world = notes([notable, struck]);
      await world.note('a', 'Struck');
      await show(world, struck);
      const { shows } = barrierOf(world);
      expect(await shows('struck', 1)).to.equal(true);
      // More events than the barrier reads to learn whether one of them concerns the projection.
      for (let n = 0; n < 6_000; n += 1) await world.note('a');
      await show(world, notable);
      expect(await shows('notable', 6_001)).to.equal(true);
      expect(await shows('struck', 6_001)).to.equal(true);
      await world.note('a', 'Struck');
      expect(await shows('struck', 6_002)).to.equal(false);
      await show(world, struck);
      expect(await shows('struck', 6_002)).to.equal(true);
    });
  });

  describe('asks the stores', () => {
    it('once for those who ask together, and again after a failure', async () => {
      const world = notes([notesProjection('endpoints', ['Struck'])]);
      for (let n = 0; n < 3; n += 1) await world.note('a');
      let away = true;
      let reads = 0;
      const head = (): Promise<Position> => {
        reads += 1;
        return away ? Promise.reject(new StoreUnavailable('away')) : world.store.head();
      };
      const { shows } = barrierOf(world, { store: { ...world.store, head } });
      const ask = () => Promise.allSettled([1, 2, 3].map((n) => shows('endpoints', n)));
      expect((await ask()).map(({ status }) => status)).to.deep.equal(Array(3).fill('rejected'));
      expect(reads).to.equal(1);
      away = false;
      expect((await ask()).map((answer) => answer.status === 'fulfilled' && answer.value)).to.deep.equal(
        Array(3).fill(true),
      );
      expect(reads).to.equal(2);
    });

    it('nothing for what it knows, and reads the history once for all read models', async () => {
      const models = ['one', 'two', 'three'].map((name) => notesProjection(name, ['Struck']));
      const world = notes(models);
      const names = models.map(({ name }) => name);
      await world.note('a');
      const { barrier, asked } = barrierOf(world);
      await barrier.wait(names, positionOf(world, 1));
      await world.note('a');
      await world.note('a');
      const before = { ...asked };
      await barrier.wait(names, positionOf(world, 3));
      expect(asked.history - before.history, 'one read for three models').to.equal(1);
      expect(asked.checkpoints, 'nothing concerned them').to.equal(before.checkpoints);
      const known = { ...asked };
      for (const n of [1, 2, 3]) await barrier.wait(names, positionOf(world, n));
      expect(asked).to.deep.equal(known);
    });

    it('nothing where projections run in every write', async () => {
      const inline = notesProjection('inline');
      const world = notes([inline, notesProjection('broken')]);
      await world.note('a');
      const { barrier, asked } = barrierOf(world, { inEveryWrite: ({ name }) => name === 'inline' });
      await barrier.wait(['inline'], positionOf(world, 1));
      expect(await barrier.passed(['inline'], 'recently')).to.equal(true);
      expect(asked).to.deep.equal({ history: 0, checkpoints: 0 });
      expect(await barrier.passed(['inline', 'broken'], 'recently')).to.equal(false);
    });

    it('for no checkpoint that the follower of this process has just moved', async () => {
      const struck = notesProjection('struck', ['Struck']);
      const world = notes([struck, notesProjection('others')]);
      const shownHere = createShownHere(world.clock);
      const following = world.start({ onShown: shownHere.note });
      await world.note('a', 'Struck');
      await world.clock.advance(10);
      const { barrier, asked } = barrierOf(world, { shownHere });
      await barrier.wait(['struck', 'others'], positionOf(world, 1));
      const before = asked.checkpoints;
      await world.note('a', 'Struck');
      await world.clock.advance(10);
      await barrier.wait(['struck', 'others'], positionOf(world, 2));
      expect(asked.checkpoints).to.equal(before);
      expect(world.docs(struck)).to.deep.equal({ a: [1, 2] });

      await following.stop();
      await world.note('a', 'Struck');
      expect(await barrier.passed(['struck'], positionOf(world, 3))).to.equal(false);
      expect(asked.checkpoints, 'nobody else can have moved it').to.equal(before);
      // Another process follows from now on.
      await show(world, struck);
      await world.clock.advance(LATELY_MS);
      expect(await barrier.passed(['struck'], positionOf(world, 3))).to.equal(true);
      expect(asked.checkpoints).to.equal(before + 1);
    });

    it('for the checkpoint of what the follower of this process leaves behind', async () => {
      const broken = notesProjection('broken');
      const world = notes([broken, notesProjection('others')]);
      broken.poison.add(2);
      const shownHere = createShownHere(world.clock);
      const following = world.start({ onShown: shownHere.note });
      await world.note('a');
      await world.clock.advance(10);
      const { shows } = barrierOf(world, { shownHere });
      expect([await shows('broken', 1), await shows('others', 1)]).to.deep.equal([true, true]);
      await world.note('a');
      await world.clock.advance(10);
      expect([await shows('broken', 2), await shows('others', 2)]).to.deep.equal([false, true]);
      broken.poison.clear();
      await world.clock.advance(5_000);
      await world.note('a');
      await world.clock.advance(10);
      expect([await shows('broken', 3), await shows('others', 3)]).to.deep.equal([true, true]);
      expect(world.docs(broken)).to.deep.equal({ a: [1, 2, 3] });
      await following.stop();
    });

    it('for the end of the history once a second', async () => {
      const world = notes([notesProjection('struck', ['Struck'])]);
      await world.note('a');
      const { barrier, asked } = barrierOf(world);
      expect(await barrier.passed(['struck'], 'recently')).to.equal(true);
      const before = asked.history;
      await world.note('a', 'Struck');
      expect(await barrier.passed(['struck'], 'recently'), 'as of a moment ago').to.equal(true);
      expect(asked.history).to.equal(before);
      await world.clock.advance(1_100);
      expect(await barrier.passed(['struck'], 'recently')).to.equal(false);
    });
  });

  describe('lets work wait', () => {
    it('a little for what is a little behind', async () => {
      const models = notesProjection('models');
      const world = notes([models]);
      await world.note('a');
      const { barrier, said } = barrierOf(world);
      let passed = false;
      const waiting = barrier.wait(['models'], positionOf(world, 1)).then(() => (passed = true));
      await world.clock.advance(500);
      expect(passed).to.equal(false);
      await show(world, models);
      await world.clock.advance(100);
      await waiting;
      expect(passed).to.equal(true);
      expect(said, 'nobody needs to know').to.deep.equal([]);
    });

    it('until later for what is far behind, and holds up nobody twice', async () => {
      const models = notesProjection('models');
      const world = notes([models]);
      await world.note('a');
      const { barrier, said } = barrierOf(world);
      const wait = () => barrier.wait(['models'], positionOf(world, 1));
      const first = failure(wait());
      await world.clock.advance(5_000);
      expect(await first)
        .to.be.instanceOf(ReadModelBehind)
        .and.instanceOf(StoreUnavailable);
      expect((await first).message).to.include('models');
      // At once: the clock need not advance.
      expect(await failure(wait())).to.be.instanceOf(ReadModelBehind);
      expect(said).to.deep.equal(['behind: models', 'behind: models']);
      await show(world, models);
      await wait();
      await wait();
      expect(said.slice(2)).to.deep.equal(['passed: models']);
      await turns();
      expect(world.clock.pending()).to.equal(0);
    });

    it('for no collection that is no read model of the history, and for no name that nothing has', async () => {
      const world = notes([notesProjection('models')]);
      await world.note('a');
      const { barrier } = barrierOf(world);
      expect([barrier.guards('models'), barrier.guards('deliveries')]).to.deep.equal([true, false]);
      expect((await failure(barrier.wait(['model'], positionOf(world, 1)))).message).to.include('model');
    });
  });
});
