/** Rows that a process keeps in memory while the batch that they come from is open. */
import { expect } from 'chai';
import type { ClaimedEntry, DueEntry, DueTimes } from '../../../ports/due-times.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { createKeptRows } from '../../../workers/lanes/kept-rows.js';
import { KEPT_MS } from '../../../workers/lanes/rows-in-memory.js';
import { deferred } from '../../conformance/support.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { failure } from '../../conformance/support.js';

const QUEUE = 'work';
const LEASE_MS = 30_000;

describe('rows kept in memory', () => {
  function world() {
    const clock = manualClock();
    const memory = memoryDueTimes(() => clock.now());
    const asked: string[] = [];
    const fault: { adopt?: () => Promise<void> } = {};
    const watched = Object.fromEntries(
      Object.entries(memory).map(([name, call]) => [
        name,
        name === 'onScheduled' || name === 'rows'
          ? call
          : async (...given: unknown[]) => {
              asked.push(name);
              if (name === 'adopt') await fault.adopt?.();
              return (call as (...given: unknown[]) => unknown)(...given);
            },
      ]),
    ) as unknown as typeof memory;
    const troubles: unknown[] = [];
    const kept = createKeptRows(watched, clock, {
      failed: (error) => void troubles.push(error),
      worked: () => undefined,
    });
    const row = (id: string, inMs = 0): DueEntry => ({
      queue: QUEUE,
      id,
      lane: 'lane',
      dueAt: clock.now() + inMs,
      payload: {},
    });
    /** Schedules rows with a batch that stays open until their work has ended. */
    async function scheduled(...rows: readonly DueEntry[]) {
      const work: Promise<unknown>[] = [];
      await kept.schedule(rows, { until: (one) => void work.push(one) });
      let ended = false;
      void Promise.all(work).then(() => (ended = true));
      return {
        works: work.length,
        isOpen: async () => {
          await turns();
          return !ended;
        },
      };
    }
    const claim = (of: DueTimes = kept, limit = 10) =>
      of.claim({ queue: QUEUE, lane: 'lane', now: clock.now(), limit, leaseMs: LEASE_MS });
    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
    const done = ({ id, fence }: ClaimedEntry) => ({ queue: QUEUE, id, fence, then: 'done' as const });
    return {
      clock,
      memory,
      asked,
      fault,
      troubles,
      kept,
      row,
      scheduled,
      claim,
      ids,
      done,
      stored: () => ids(memory.rows(QUEUE)),
    };
  }

  it('cost the store nothing when they end in time, once it was listed', async () => {
    const w = world();
    await w.kept.lanes(QUEUE, w.clock.now());
    w.asked.length = 0;
    const batch = await w.scheduled(w.row('a'), w.row('b'));
    expect(await batch.isOpen()).to.equal(true);
    const rows = await w.claim();
    expect(w.ids(rows)).to.deep.equal(['a', 'b']);
    expect(await w.kept.settle(rows.map(w.done))).to.deep.equal([true, true]);
    expect(await batch.isOpen()).to.equal(false);
    await w.clock.advance(2 * KEPT_MS);
    expect([w.asked, w.clock.pending()]).to.deep.equal([[], 0]);
  });

  it('keep their batch open for work that their holder names, also once they have ended', async () => {
    const w = world();
    const batch = await w.scheduled(w.row('a'));
    const [held] = await w.claim();
    const recorded = deferred();
    expect([held!.until!(), held!.until!(recorded.promise)]).to.deep.equal([true, true]);
    expect(await w.kept.settle([w.done(held!)])).to.deep.equal([true]);
    expect(w.ids(await w.claim()), 'nobody gets it again').to.deep.equal([]);
    expect(await batch.isOpen()).to.equal(true);
    recorded.resolve();
    expect(await batch.isOpen()).to.equal(false);
    expect(held!.until!(recorded.promise), 'too late').to.equal(false);
  });

  it('name no such work once the store has them', async () => {
    const w = world();
    const batch = await w.scheduled(w.row('a'));
    const [held] = await w.claim();
    const recorded = deferred();
    held!.until!(recorded.promise);
    await w.clock.advance(KEPT_MS + 500);
    expect([w.stored(), held!.until!()]).to.deep.equal([['a'], false]);
    expect(await batch.isOpen(), 'what was named before').to.equal(true);
    recorded.resolve();
    expect(await batch.isOpen()).to.equal(false);
    const [stored] = await w.claim(w.memory, 1).then(() => w.claim());
    expect(stored?.until).to.equal(undefined);
  });

  it('go to the store when nobody takes them in time, and their batch ends', async () => {
    const w = world();
    const batch = await w.scheduled(w.row('a'));
    await w.clock.advance(KEPT_MS - 500);
    expect([w.stored(), await batch.isOpen()]).to.deep.equal([[], true]);
    await w.clock.advance(1_000);
    expect([w.stored(), await batch.isOpen()]).to.deep.equal([['a'], false]);
    expect(w.ids(await w.claim(w.memory)), 'any process may take it').to.deep.equal(['a']);
  });

  it('go to the store with their claim when the work takes longer', async () => {
    const w = world();
    const batch = await w.scheduled(w.row('a'));
    const [held] = await w.claim();
    await w.clock.advance(KEPT_MS + 500);
    expect([w.stored(), await batch.isOpen()]).to.deep.equal([['a'], false]);
    expect(await w.claim(w.memory), 'held').to.deep.equal([]);
    expect(await w.kept.settle([w.done(held!)])).to.deep.equal([true]);
    expect(w.stored()).to.deep.equal([]);
  });

  it('that went with a claim are free once it has run out, and their holder is out of them', async () => {
    const w = world();
    await w.scheduled(w.row('a'));
    const [held] = await w.claim();
    await w.clock.advance(LEASE_MS + 1);
    const [other] = await w.claim(w.memory);
    expect(other).to.include({ id: 'a', claims: 2 });
    expect(await w.kept.settle([w.done(held!)])).to.deep.equal([false]);
    expect(await w.memory.settle([w.done(other!)])).to.deep.equal([true]);
  });

  it('that have to wait longer than rows are kept go to the store at once, and count their claims there', async () => {
    const w = world();
    const batch = await w.scheduled(w.row('a'), w.row('later', KEPT_MS + 1));
    expect([batch.works, w.stored()]).to.deep.equal([1, ['later']]);
    const [held] = await w.claim();
    const dueAt = w.clock.now() + KEPT_MS + 1;
    await w.kept.settle([{ queue: QUEUE, id: 'a', fence: held!.fence, then: 'again', dueAt }]);
    expect(await batch.isOpen()).to.equal(false);
    await w.clock.advance(KEPT_MS + 1);
    const again = await w.claim(w.memory);
    expect(again.map(({ id, claims }) => [id, claims])).to.have.deep.members([
      ['a', 2],
      ['later', 1],
    ]);
  });

  it('are in the store when they are scheduled again for a batch that must not stay open', async () => {
    const w = world();
    await w.scheduled(w.row('a'));
    await w.kept.schedule([w.row('a'), w.row('b')]);
    expect(w.stored()).to.have.members(['a', 'b']);
  });

  it('hold every batch open that schedules them, and are worked on once', async () => {
    const w = world();
    const batches = [await w.scheduled(w.row('a')), await w.scheduled(w.row('a'))];
    const rows = await w.claim();
    expect(w.ids(rows)).to.deep.equal(['a']);
    await w.kept.settle(rows.map(w.done));
    for (const batch of batches) expect(await batch.isOpen()).to.equal(false);
  });

  it('stay, and hold their batch open, while the store is away', async () => {
    const w = world();
    const batch = await w.scheduled(w.row('a'));
    w.fault.adopt = () => Promise.reject(new StoreUnavailable('away'));
    await w.clock.advance(KEPT_MS + 500);
    expect(await failure(w.kept.letGo())).to.be.instanceOf(StoreUnavailable);
    expect([w.stored(), await batch.isOpen()]).to.deep.equal([[], true]);
    expect(w.troubles, 'after five seconds, and half a second later').to.have.length(2);
    delete w.fault.adopt;
    await w.clock.advance(500);
    expect([w.stored(), await batch.isOpen()]).to.deep.equal([['a'], false]);
  });

  it('belong to the store when a write of them had no answer, and are worked on once', async () => {
    const w = world();
    const batch = await w.scheduled(w.row('held'), w.row('free'));
    const [held] = await w.claim(w.kept, 1);
    const { until: _, ...heldRow } = held!;
    w.fault.adopt = async () => {
      const [free] = w.memory.rows(QUEUE);
      if (free) return;
      await w.memory.adopt([
        { ...heldRow, heldUntil: w.clock.now() + LEASE_MS },
        { ...w.row('free'), claims: 0, fence: 1, heldUntil: null },
      ]);
      throw new StoreUnavailable('no answer');
    };
    expect(await failure(w.kept.letGo())).to.be.instanceOf(StoreUnavailable);
    const free = await w.claim();
    expect(w.ids(free)).to.deep.equal(['free']);
    expect(await w.claim(), 'once').to.deep.equal([]);
    const dueAt = w.clock.now() + 60_000;
    const settled = await w.kept.settle([
      { queue: QUEUE, id: 'held', fence: held!.fence, then: 'again', dueAt },
    ]);
    expect([settled, w.memory.rows(QUEUE).find(({ id }) => id === 'held')!.dueAt]).to.deep.equal([
      [true],
      dueAt,
    ]);
    expect(await w.kept.settle(free.map(w.done))).to.deep.equal([true]);
    await w.clock.advance(500);
    expect([w.stored(), await batch.isOpen(), w.clock.pending()]).to.deep.equal([['held'], false, 0]);
  });

  it('end when they are cancelled just as they went to the store and were scheduled again', async () => {
    const w = world();
    const work: Promise<unknown>[] = [];
    const open = { until: (one: Promise<unknown>) => void work.push(one) };
    await w.kept.schedule([w.row('a')], open);
    const again = work[0]!.then(() => w.kept.schedule([w.row('a')], open));
    const writing = deferred();
    w.fault.adopt = () => writing.promise;
    const gone = w.kept.letGo();
    await turns();
    const cancelled = w.kept.cancel(QUEUE, ['a']);
    writing.resolve();
    await Promise.all([gone, cancelled, again]);
    await Promise.all(work);
    expect([work.length, await w.claim()]).to.deep.equal([2, []]);
  });

  it('are settled in the store when they are on their way there', async () => {
    const w = world();
    await w.scheduled(w.row('a'), w.row('b'));
    const [a, b] = await w.claim();
    const writing = deferred();
    w.fault.adopt = () => writing.promise;
    const gone = w.kept.letGo();
    const settled = w.kept.settle([w.done(a!)]);
    writing.resolve();
    await gone;
    expect(await settled).to.deep.equal([true]);
    expect(w.stored()).to.deep.equal(['b']);
    expect(await w.kept.settle([w.done(b!)])).to.deep.equal([true]);
  });

  it('come after the rows of the store that were due before', async () => {
    const w = world();
    await w.memory.schedule([w.row('stored')]);
    await w.kept.lanes(QUEUE, w.clock.now());
    await w.clock.advance(1);
    await w.scheduled(w.row('kept'));
    expect(w.ids(await w.claim(w.kept, 1))).to.deep.equal(['stored']);
    expect(w.ids(await w.claim())).to.deep.equal(['kept']);
  });

  it('are no more than two thousand: the rest goes to the store', async () => {
    const w = world();
    const batch = await w.scheduled(...Array.from({ length: 2_001 }, (_, n) => w.row(`${n}`)));
    expect([batch.works, w.stored()]).to.deep.equal([2_000, ['2000']]);
  });

  it('are due as soon as they were to be when the clock was set back meanwhile', async () => {
    const w = world();
    await w.scheduled(w.row('a', 1_000));
    w.clock.stepWall(-3_600_000);
    await w.kept.letGo();
    const [row] = w.memory.rows(QUEUE);
    expect(row!.dueAt - w.clock.now()).to.equal(1_000);
  });
});
