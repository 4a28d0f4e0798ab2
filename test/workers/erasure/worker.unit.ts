/** When an erasure is tried again, and when the worker knows that it has ended. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { erasureAggregate } from '../../../domain/erasure/decide.js';
import { erasureEventExamples } from '../../support/examples/erasure.js';
import { START } from '../../../ports/event-store.js';
import type { Find } from '../../../ports/read-models.js';
import { createErasures, startErasures } from '../../../workers/erasure/worker.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

const SETTLING_MS = 5_000;
const { requested, scoped, keysDestroyed, ended } = erasureEventExamples;
const stateAfter = (events: readonly Parameters<typeof erasureAggregate.evolve>[1][]) =>
  events.reduce(erasureAggregate.evolve, erasureAggregate.initial);
const OPEN = stateAfter([requested, scoped, keysDestroyed]);
const ENDED = stateAfter([requested, scoped, keysDestroyed, ended]);

/** The result of an attempt to end an erasure. */
type Try = 'ends' | 'is held up' | 'fails';

function world() {
  const clock = manualClock();
  const shown = new Set<string>();
  const comes = new Map<string, Try>();
  const tried: string[] = [];
  const logged: string[] = [];
  const actors = new Set<string>();
  const app = {
    clock,
    logger: {
      info: ({ erasure }: { erasure: string }) => void logged.push(`${erasure} ended`),
      error: ({ erasure, err }: { erasure: string; err: unknown }) =>
        void logged.push(`${erasure}: ${String(err)}`),
    },
    newId: () => 'new-id',
    readModels: {
      find: async (collection: string, { index, equals, limit }: Find) => {
        const open = collection === 'erasures' && index === 'by_shelf' && equals[0] === 'open' ? shown : [];
        return { documents: [...open].slice(0, limit).map((id) => ({ id })), next: null };
      },
      // A copy that lags behind delays an erasure.
      generations: async () => ({ version: 1, live: 1, all: [1], next: 2 }),
      checkpoint: async () => START,
    },
    executor: {
      async load(_: unknown, uuid: string) {
        tried.push(uuid);
        const what = comes.get(uuid) ?? 'ends';
        if (what === 'fails') throw new Error('out of order');
        return { state: what === 'ends' ? ENDED : OPEN };
      },
      async execute(_aggregate: unknown, _uuid: string, _command: unknown, { actor }: { actor: string }) {
        actors.add(actor);
        return { state: OPEN };
      },
    },
  } as unknown as App;
  return { clock, shown, comes, tried, logged, actors, app, round: createErasures(app, SETTLING_MS) };
}

describe('the worker that ends erasures', () => {
  it('lets an erasure rest before it ends it, so that nobody writes what was decoded before', async () => {
    const w = world();
    w.shown.add('e1');
    expect(await w.round()).to.equal(1);
    await w.clock.advance(SETTLING_MS - 1);
    expect(await w.round()).to.equal(1);
    expect(w.tried).to.deep.equal([]);
    await w.clock.advance(1);
    expect(await w.round()).to.equal(0);
    expect([w.tried, w.logged]).to.deep.equal([['e1'], ['e1 ended']]);
  });

  it('rests anew when something was found, or it broke off, and then tries again', async () => {
    for (const first of ['is held up', 'fails'] as const) {
      const w = world();
      w.shown.add('e1');
      w.comes.set('e1', first);
      await w.round();
      await w.clock.advance(SETTLING_MS);
      expect(await w.round(), first).to.equal(1);
      expect(w.logged).to.deep.equal(first === 'fails' ? ['e1: Error: out of order'] : []);
      w.comes.set('e1', 'ends');
      await w.clock.advance(SETTLING_MS - 1);
      expect(await w.round()).to.equal(1);
      expect(w.tried).to.have.length(1);
      await w.clock.advance(1);
      expect(await w.round()).to.equal(0);
    }
  });

  it('ends the others where one breaks off', async () => {
    const w = world();
    for (const uuid of ['bad', 'held up', 'good']) w.shown.add(uuid);
    w.comes.set('bad', 'fails').set('held up', 'is held up');
    await w.round();
    await w.clock.advance(SETTLING_MS);
    expect(await w.round()).to.equal(2);
    expect(w.tried).to.deep.equal(['bad', 'held up', 'good']);
    expect(w.logged).to.deep.equal(['bad: Error: out of order', 'good ended']);
    expect([...w.actors]).to.deep.equal(['worker:erasure']);
  });

  it('begins anew with one that was not open for a while', async () => {
    const w = world();
    w.shown.add('e1');
    await w.round();
    w.shown.delete('e1');
    expect(await w.round()).to.equal(0);
    await w.clock.advance(SETTLING_MS);
    w.shown.add('e1');
    await w.round();
    expect(w.tried, 'its rest began when it was open again').to.deep.equal([]);
    await w.clock.advance(SETTLING_MS);
    await w.round();
    expect(w.tried).to.deep.equal(['e1']);
  });

  it('keeps nothing of those that have ended', async () => {
    const w = world();
    w.shown.add('e1');
    await w.round();
    await w.clock.advance(SETTLING_MS);
    await w.round();
    w.shown.clear();
    await w.round();
    w.shown.add('e1');
    await w.round();
    expect(w.tried, 'known as one that has rested').to.have.length(1);
  });

  it('looks at a hundred at once', async () => {
    const w = world();
    for (let n = 0; n < 150; n += 1) w.shown.add(`e${n}`);
    expect(await w.round()).to.equal(100);
  });

  it('stops between two of them', async () => {
    const w = world();
    for (const uuid of ['e1', 'e2']) w.shown.add(uuid);
    await w.round();
    await w.clock.advance(SETTLING_MS);
    expect(await w.round(() => w.tried.length > 0)).to.equal(1);
    expect(w.tried).to.deep.equal(['e1']);
  });

  it('goes round every second, and not after a stop', async () => {
    const w = world();
    w.shown.add('e1');
    const rounds = startErasures(w.app, SETTLING_MS);
    await w.clock.advance(SETTLING_MS);
    expect(w.tried).to.deep.equal([]);
    await w.clock.advance(1_000);
    expect(w.tried).to.deep.equal(['e1']);
    await rounds.stop();
    await w.clock.advance(60_000);
    expect(w.tried).to.deep.equal(['e1']);
    expect(w.clock.pending()).to.equal(0);
  });
});
