/** Recent events, read or received from the subscription, in any order: none is missed and none is there twice. */
import { expect } from 'chai';
import fc from 'fast-check';
import { START, type Position, type SubscriptionOptions } from '../../ports/event-store.js';
import { createRecentEvents } from '../../projections/recent-events.js';
import { manualClock, turns } from '../support/fakes/manual-clock.js';
import { memoryEventStore } from '../support/memory/event-store.js';
import { runs } from '../support/soak.js';
import { soon } from '../support/soon.js';
import { meta } from '../conformance/support.js';

function world() {
  const store = memoryEventStore();
  const clock = manualClock();
  const asked: string[] = [];
  let answers: Promise<void> = Promise.resolve();
  let subscribed: SubscriptionOptions | undefined;
  let stopped = false;
  let arrived = 0;
  let meanwhile = (): Promise<void> => Promise.resolve();
  const recent = createRecentEvents({
    clock,
    store: {
      async head() {
        asked.push('head');
        const head = await store.head();
        await answers;
        await meanwhile();
        return head;
      },
      async readAll(options) {
        asked.push('page');
        const page = await store.readAll(options);
        await answers;
        return page;
      },
    },
    follow(options) {
      subscribed = options;
      arrived = store.records.filter(({ position }) => position <= options.after).length;
      return { stop: async () => void (stopped = true) };
    },
  });
  return {
    recent,
    clock,
    asked,
    stopped: () => stopped,
    positionOf: (n: number): Position => store.records[n - 1]!.position,
    async append(...types: string[]) {
      for (const type of types) {
        const n = store.records.length + 1;
        await store.append(`s-${n}`, 'no_stream', [{ eventId: `e${n}`, type, data: {}, meta: meta() }]);
      }
    },
    /** Delivers so many more events through the subscription. */
    async arrive(count = Infinity) {
      const batch = store.records.slice(arrived, arrived + count);
      if (subscribed === undefined || batch.length === 0) return;
      arrived += batch.length;
      await subscribed.onBatch(batch, batch.at(-1)!.position);
    },
    /** Runs between a read of the head of the history and its result. */
    meanwhile: (what: () => Promise<void>) => void (meanwhile = what),
    breakOff: () => subscribed!.onError!(new Error('away')),
    /** Holds back the store's results until the returned function is called. */
    holdAnswers(): () => void {
      let release: () => void = () => undefined;
      answers = new Promise((resolve) => (release = resolve));
      return release;
    },
    firstAfter: (n: number, type: string) =>
      recent.firstAfter(n === 0 ? START : store.records[n - 1]!.position, [type]),
    types: () => store.records.map(({ type }) => type),
  };
}

/** Everything that it covers agrees with the history. */
function agree(w: ReturnType<typeof world>): void {
  const types = w.types();
  const known = types.filter((_, n) => w.positionOf(n + 1) <= w.recent.end()).length;
  for (let after = 0; after <= known; after += 1) {
    const at = after === 0 ? START : w.positionOf(after);
    if (!w.recent.covers(at)) continue;
    for (const type of ['a', 'b']) {
      const n = types.slice(0, known).indexOf(type, after);
      expect(w.recent.firstAfter(at, [type])).to.equal(n === -1 ? null : w.positionOf(n + 1));
    }
  }
}

describe('recent events', () => {
  it('are not read once they arrive by themselves', async () => {
    const w = world();
    await w.append('a');
    await w.recent.reach(w.positionOf(1));
    expect(w.asked).to.deep.equal(['head']);
    await w.append('b', 'c');
    await w.arrive();
    await w.recent.reach(w.positionOf(3));
    expect(w.asked).to.deep.equal(['head']);
    expect([w.firstAfter(1, 'c'), w.recent.end()]).to.deep.equal([w.positionOf(3), w.positionOf(3)]);
  });

  it('are waited for a moment, and then read', async () => {
    const w = world();
    await w.append('a');
    await w.recent.reach(w.positionOf(1));
    await w.append('b', 'c', 'c');
    const soonThere = w.recent.reach(w.positionOf(2));
    await turns();
    await w.arrive(1);
    await soonThere;
    expect(w.asked, 'it came in time').to.deep.equal(['head']);
    const late = w.recent.reach(w.positionOf(4));
    await w.clock.advance(60);
    await late;
    expect(w.asked).to.deep.equal(['head', 'page']);
    await w.arrive(1);
    expect(w.firstAfter(3, 'c'), 'the first of them, which comes again, lies before').to.equal(
      w.positionOf(4),
    );
    await w.append('c');
    await w.arrive();
    expect(w.firstAfter(4, 'c')).to.equal(w.positionOf(5));
    expect(w.clock.pending()).to.equal(0);
  });

  it('are read at once while nothing can arrive', async () => {
    const w = world();
    await w.append('a');
    await w.recent.reach(w.positionOf(1));
    w.breakOff();
    await w.append('b');
    await w.recent.reach(w.positionOf(2));
    expect(w.asked).to.deep.equal(['head', 'page']);
    await w.arrive();
    await w.append('c');
    const arriving = w.recent.reach(w.positionOf(3));
    await w.arrive();
    await arriving;
    expect(w.asked, 'they arrive again').to.deep.equal(['head', 'page']);
  });

  it('have no hole where many arrive while it begins anew at the end', async () => {
    const w = world();
    await w.append('a');
    await w.recent.reach(w.positionOf(1));
    w.breakOff();
    await w.append(...Array.from({ length: 6_000 }, () => 'a'));
    w.meanwhile(async () => {
      await w.append('b', 'a');
      await w.arrive();
    });
    await w.recent.reach(w.positionOf(6_001));
    await w.append('a');
    await w.arrive();
    expect(w.asked.filter((what) => what === 'head')).to.have.length(2);
    expect(w.recent.end()).to.equal(w.positionOf(6_004));
    expect(w.firstAfter(6_001, 'b'), 'known, as everything behind what is covered').to.equal(
      w.positionOf(6_002),
    );
  });

  it('are followed until it stops', async () => {
    const w = world();
    await w.recent.stop();
    await w.append('a');
    await w.recent.reach(w.positionOf(1));
    expect(w.stopped()).to.equal(false);
    await w.recent.stop();
    expect(w.stopped()).to.equal(true);
  });

  it('have no hole and nothing twice, however reads and arrivals interleave', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('append' as const),
        types: fc.array(fc.constantFrom('a', 'b'), { maxLength: 4 }),
      }),
      fc.record({ kind: fc.constant('arrive' as const), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant('reach' as const) }),
      fc.record({ kind: fc.constant('hold' as const) }),
      fc.record({ kind: fc.constant('release' as const) }),
      fc.record({ kind: fc.constant('wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const w = world();
        await w.append('a');
        let release = (): void => undefined;
        const reaching: Promise<void>[] = [];
        for (const next of steps) {
          if (next.kind === 'append') await w.append(...next.types);
          else if (next.kind === 'arrive') await w.arrive(next.count);
          else if (next.kind === 'reach') reaching.push(w.recent.reach(w.positionOf(w.types().length)));
          else if (next.kind === 'hold') {
            release();
            release = w.holdAnswers();
          } else if (next.kind === 'release') release();
          else await w.clock.advance(1_000);
          await turns();
          agree(w);
        }
        release();
        await w.clock.advance(100);
        await soon(Promise.all(reaching));
        agree(w);
      }),
      { numRuns: runs(200) },
    );
  });
});
