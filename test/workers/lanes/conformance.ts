/** The rules for work on rows of a due-time store, for every store. Stores plug in with `describeScheduler`. */
import { expect } from 'chai';
import type { ClaimedEntry, DueTimes } from '../../../ports/due-times.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { inBatches, plain } from '../../../workers/lanes/policy.js';
import { gate, until } from '../../conformance/support.js';
import { turns, type ManualClock } from '../../support/fakes/manual-clock.js';
import { closedAfterEach, openedForEach } from '../../support/opened.js';
import { LEASE_MS, POLL_MS, QUEUE, rowsOf, startProcess, type ProcessOptions } from './process.js';

export interface StoreUnderTest {
  readonly dueTimes: DueTimes;
  readonly clock: ManualClock;
  /** Resolves when all requested writes are done. */
  flush(): Promise<unknown>;
  close?(): unknown;
}

export function describeScheduler(name: string, open: () => StoreUnderTest | Promise<StoreUnderTest>): void {
  describe(`work on lanes: ${name}`, () => {
    const opened = closedAfterEach();
    const store = openedForEach(open);

    const start = (options: ProcessOptions = {}, over: Partial<DueTimes> = {}) =>
      opened(startProcess({ dueTimes: { ...store.dueTimes, ...over }, clock: store.clock }, options));
    const schedule = (lane: string, count: number, inMs = 0) =>
      store.dueTimes.schedule(rowsOf(lane, count, store.clock.now() + inMs));
    const left = () => store.dueTimes.count(QUEUE);
    const empty = () => until(async () => (await left()) === 0);
    /** Resolves when everything that would begin has begun. */
    async function quiet(): Promise<void> {
      for (let round = 0; round < 3; round += 1) {
        await store.flush();
        await turns();
      }
    }
    const claim = (lane: string, limit: number) =>
      store.dueTimes.claim({ queue: QUEUE, lane, now: store.clock.now(), limit, leaseMs: 1 });

    it('given rows that are due, when a process schedules them, then it works on each and ends its row', async () => {
      const process = start();
      await schedule('a', 5);
      await schedule('b', 2);
      await schedule('a-later', 1, 10_000);
      await until(async () => (await left()) === 1);
      expect([...process.begun()].sort()).to.deep.equal(['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1']);
      await store.clock.advance(10_000);
      await empty();
      expect(process.begun().at(-1)).to.equal('a-later0');
    });

    it('given several processes, when all look at once, then no row is lost, and none has two that work on it', async () => {
      const rows = 8;
      const lanes = ['a', 'b', 'c', 'd', 'e'];
      for (const lane of lanes) await schedule(lane, rows);
      const under = new Set<string>();
      const ended: string[] = [];
      const twice: string[] = [];
      async function work({ id, claims }: ClaimedEntry) {
        if (under.has(id)) twice.push(id);
        under.add(id);
        await turns(1);
        under.delete(id);
        // The first claim asks for more time, or puts the row back.
        if (claims === 1 && id.endsWith('1')) return { dueAt: store.clock.now() + 5_000 };
        if (claims === 1 && id.endsWith('2')) return 'as it was' as const;
        ended.push(id);
        return 'done' as const;
      }
      for (let n = 0; n < 3; n += 1) start({ work, leaseMs: Number.MAX_SAFE_INTEGER / 2 });
      await until(async () => {
        await store.clock.advance(POLL_MS);
        return (await left()) === 0;
      });
      expect(twice).to.deep.equal([]);
      expect([...ended].sort()).to.deep.equal(
        lanes.flatMap((lane) => rowsOf(lane, rows, 0).map(({ id }) => id)).sort(),
      );
    });

    it('given work that outlasts its claim, when another process has the row, then only the other one settles it', async () => {
      const late = start({ slow: () => true });
      await schedule('a', 1);
      await until(() => late.under().length === 1);
      const stopped = late.stop();
      await store.clock.advance(LEASE_MS + 1);
      const next = start({ slow: () => true });
      await until(() => next.under().length === 1);
      late.letGo();
      await stopped;
      expect(await left(), 'what the first one made of it does not count').to.equal(1);
      next.letGo();
      await empty();
    });

    it('given rows that wait, when one is claimed in the moment of a stop, then it keeps its place', async () => {
      const door = gate();
      await store.dueTimes.schedule(
        rowsOf('a', 3, store.clock.now()).map((row, n) => ({ ...row, dueAt: row.dueAt - 30 + 10 * n })),
      );
      const process = start(
        {},
        {
          async claim(options) {
            const rows = await store.dueTimes.claim(options);
            await door.pass();
            return rows;
          },
        },
      );
      await door.reached;
      const stopped = process.stop();
      door.open();
      await stopped;
      expect(process.begun()).to.deep.equal([]);
      const rows = await claim('a', 3);
      expect(rows.map(({ id, dueAt }) => [id, dueAt - store.clock.now()])).to.deep.equal([
        ['a0', -30],
        ['a1', -20],
        ['a2', -10],
      ]);
    });

    it('given a lane whose work is slow, when others have work, then it holds its share of the slots and no more', async () => {
      const process = start({ policy: plain(4, 2), slow: ({ lane }) => lane === 'slow' });
      await schedule('slow', 20, -1_000);
      await until(() => process.under().length === 2);
      await schedule('a', 10);
      await schedule('b', 10);
      await until(async () => (await left()) === 20);
      expect(process.under()).to.deep.equal(['slow0', 'slow1']);
      expect(process.begun()).to.have.length(22);
    });

    it('given a long backlog, when a lane comes later, then its work does not wait for the end of it', async () => {
      const rows = 60;
      const process = start({
        policy: plain(2, 1),
        async work({ id }) {
          if (id === 'a3') await schedule('b', 1);
          return 'done';
        },
      });
      await schedule('a', rows, -1_000);
      await empty();
      expect(process.begun().indexOf('b0')).to.be.within(0, rows - 1);
    });

    for (const [what, policy, most, mostOfLane] of [
      ['slots', plain(6, 2), 6, 2],
      ['batches', inBatches(10), 10, 10],
    ] as const) {
      it(`given more rows than fit, when they are worked on in ${what}, then no more are claimed than may begin`, async () => {
        let held = 0;
        let peak = 0;
        let peakOfLane = 0;
        const claim: DueTimes['claim'] = async (options) => {
          const rows = await store.dueTimes.claim(options);
          held += rows.length;
          peak = Math.max(peak, held);
          return rows;
        };
        for (const lane of ['a', 'b', 'c', 'd', 'e']) await schedule(lane, 30);
        const process = start(
          {
            policy,
            async work({ lane }) {
              peakOfLane = Math.max(peakOfLane, process.load.of(lane));
              await turns(1);
              held -= 1;
              return 'done';
            },
          },
          { claim },
        );
        await empty();
        expect([peak, peakOfLane]).to.deep.equal([most, mostOfLane]);
        await process.stop();
        expect([process.load.all, process.load.of('a')]).to.deep.equal([0, 0]);
      });
    }

    it('given work under way, when it stops, then nothing begins, and it ends with what is under way', async () => {
      const timers = store.clock.pending();
      const process = start({ slow: () => true });
      await schedule('a', 5);
      await until(() => process.under().length === 2);
      let ended = false;
      const stopped = process.stop().then(() => (ended = true));
      await schedule('b', 5);
      await store.clock.advance(5 * POLL_MS);
      await quiet();
      expect([ended, process.begun()]).to.deep.equal([false, ['a0', 'a1']]);
      process.letGo();
      await stopped;
      expect([process.begun().length, await left()]).to.deep.equal([2, 8]);
      expect(store.clock.pending()).to.equal(timers);
    });

    for (const call of ['lanes', 'claim'] as const) {
      it(`given a store that is away, when it fails to answer ${call}, then the log names it and it is asked again`, async () => {
        let away = true;
        const answers = (asked: string): void => {
          if (away && asked === call) throw new StoreUnavailable('gone');
        };
        // Another process has scheduled them: this process is not notified.
        await schedule('a', 3);
        await quiet();
        const process = start(
          {},
          {
            async lanes(...of) {
              answers('lanes');
              return store.dueTimes.lanes(...of);
            },
            async claim(...of) {
              answers('claim');
              return store.dueTimes.claim(...of);
            },
          },
        );
        await store.clock.advance(5 * POLL_MS);
        await quiet();
        expect(process.begun()).to.deep.equal([]);
        away = false;
        await store.clock.advance(POLL_MS);
        await empty();
        expect(process.says()).to.deep.equal([
          'warn: looking for work failed; it is tried again',
          'warn: looking for work works again',
        ]);
      });
    }

    it('given work that ended, when its row can not be settled, then the row comes back as its claim runs out', async () => {
      let away = true;
      const process = start(
        {},
        {
          settle: (rows) =>
            away ? Promise.reject(new StoreUnavailable('gone')) : store.dueTimes.settle(rows),
        },
      );
      await schedule('a', 1);
      await until(() => process.lost.length === 1);
      await store.clock.advance(LEASE_MS - POLL_MS);
      await quiet();
      expect(process.begun()).to.deep.equal(['a0']);
      away = false;
      await store.clock.advance(2 * POLL_MS);
      await empty();
      expect(process.begun()).to.deep.equal(['a0', 'a0']);
    });
  });
}
