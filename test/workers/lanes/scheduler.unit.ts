/** The scheduler over a store in memory, and the options that its callers have. */
import { expect } from 'chai';
import type { ClaimedEntry, DueEntry } from '../../../ports/due-times.js';
import { createKeptRows } from '../../../workers/lanes/kept-rows.js';
import { inBatches, plain } from '../../../workers/lanes/policy.js';
import type { SchedulerOptions } from '../../../workers/lanes/scheduler.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { closedAfterEach } from '../../support/opened.js';
import { soon } from '../../support/soon.js';
import { describeScheduler } from './conformance.js';
import { LEASE_MS, POLL_MS, QUEUE, rowsOf, startProcess, type ProcessOptions } from './process.js';

function memoryStore() {
  const clock = manualClock();
  return { clock, dueTimes: memoryDueTimes(() => clock.now()), flush: async () => undefined };
}

describeScheduler('memory', memoryStore);
describeScheduler('rows kept in memory', () => {
  const { clock, dueTimes, flush } = memoryStore();
  const kept = createKeptRows(dueTimes, clock, { failed: () => undefined, worked: () => undefined });
  const schedule = (rows: readonly DueEntry[]) => kept.schedule(rows, { until: () => undefined });
  return { clock, flush, dueTimes: { ...kept, schedule } };
});

describe('a scheduler of lanes', () => {
  const opened = closedAfterEach();

  function world(options: ProcessOptions = {}) {
    const { clock, dueTimes } = memoryStore();
    const schedule = (lane: string, count: number, inMs = 0) =>
      dueTimes.schedule(rowsOf(lane, count, clock.now() + inMs));
    return {
      clock,
      dueTimes,
      schedule,
      start: () => opened(startProcess({ clock, dueTimes }, options)),
      rows: () => dueTimes.rows(QUEUE),
    };
  }
  type DueBy = NonNullable<SchedulerOptions['dueBy']>;

  it('that is not prompt looks by its poll alone', async () => {
    const w = world({ prompt: false });
    await w.schedule('a', 1);
    const process = w.start();
    await w.schedule('b', 1);
    await w.clock.advance(POLL_MS - 1);
    expect(process.begun()).to.deep.equal([]);
    await w.clock.advance(1);
    expect(process.begun()).to.deep.equal(['a0', 'b0']);
  });

  it('that is not prompt looks again a while after all that it began has ended', async () => {
    const w = world({ prompt: false, slow: ({ id }) => id === 'a0' });
    await w.schedule('a', 1);
    const process = w.start();
    await w.clock.advance(10 * POLL_MS);
    expect([process.under(), w.clock.pending()]).to.deep.equal([['a0'], 0]);
    await w.schedule('b', 1, 1);
    process.letGo();
    await w.clock.advance(POLL_MS - 1);
    expect([process.begun(), w.clock.pending()]).to.deep.equal([['a0'], 1]);
    await w.clock.advance(1);
    expect(process.begun()).to.deep.equal(['a0', 'b0']);
    await soon(process.stop());
    expect(w.clock.pending()).to.equal(0);
  });

  it('that is prompt asks nothing for what is due later, or in another queue, and claims what is due unlisted', async () => {
    const w = world();
    const process = w.start();
    await w.clock.advance(0);
    let asked = 0;
    const inner = { ...w.dueTimes };
    w.dueTimes.lanes = (...of) => {
      asked += 1;
      return inner.lanes(...of);
    };
    await w.schedule('a', 1, 1);
    await w.dueTimes.schedule([{ queue: 'another', id: 'x', lane: 'a', dueAt: 0, payload: {} }]);
    await w.clock.advance(0);
    expect([asked, process.begun()]).to.deep.equal([0, []]);
    await w.schedule('b', 1);
    await w.clock.advance(0);
    expect([asked, process.begun()]).to.deep.equal([0, ['b0']]);
    await w.clock.advance(1);
    expect([asked, process.begun()], 'at its time').to.deep.equal([0, ['b0', 'a0']]);
  });

  it('asks the store nothing while nothing more may begin', async () => {
    const w = world({ policy: plain(1, 1), slow: () => true });
    await w.schedule('a', 2);
    const process = w.start();
    await w.clock.advance(0);
    w.dueTimes.lanes = () => Promise.reject(new Error('nobody should ask'));
    await w.clock.advance(5 * POLL_MS);
    expect([process.begun(), process.says()]).to.deep.equal([['a0'], []]);
  });

  it('puts a row back for later as its work asks, with what the work notes', async () => {
    const end = { dueAt: 0, payload: { tries: 1 } };
    const w = world({ work: async ({ payload }) => (payload['tries'] === 1 ? 'done' : end) });
    end.dueAt = w.clock.now() + 5_000;
    await w.schedule('a', 1);
    const process = w.start();
    await w.clock.advance(4_999);
    expect(w.rows()[0]).to.deep.include({ dueAt: end.dueAt, payload: { tries: 1 } });
    await w.clock.advance(1);
    expect([process.begun(), w.rows()]).to.deep.equal([['a0', 'a0'], []]);
  });

  it('leaves a row as it was, or as the work has settled it, where the work says so', async () => {
    const w = world({
      async work({ queue, id, fence }, stopping) {
        if (stopping()) return 'as it was';
        await w.dueTimes.settle([{ queue, id, fence, then: 'again', dueAt: w.clock.now() + 5_000 }]);
        return 'settled';
      },
      slow: ({ claims }) => claims === 2,
    });
    await w.schedule('a', 1);
    const process = w.start();
    await w.clock.advance(5_000);
    expect(process.under()).to.deep.equal(['a0']);
    const [{ dueAt } = { dueAt: 0 }] = w.rows();
    const stopped = process.stop();
    process.letGo();
    await soon(stopped);
    expect(w.rows()[0]).to.include({ dueAt, fence: 0 });
  });

  it('begins one row of each lane before the second of any', async () => {
    const w = world({ policy: plain(4, 3), slow: () => true });
    await w.schedule('a', 4, -2_000);
    await w.schedule('b', 2, -1_000);
    await w.schedule('c', 2);
    const process = w.start();
    await w.clock.advance(0);
    expect(process.begun()).to.deep.equal(['a0', 'b0', 'c0', 'a1']);
  });

  it('takes a batch of one lane, and the next lane once all of it has ended', async () => {
    const w = world({ policy: inBatches(3), slow: ({ id }) => id === 'a1' });
    await w.schedule('a', 3, -1_000);
    await w.schedule('b', 5);
    const process = w.start();
    await w.clock.advance(5 * POLL_MS);
    expect([process.begun(), process.under()]).to.deep.equal([['a0', 'a1', 'a2'], ['a1']]);
    process.letGo();
    await w.clock.advance(0);
    expect(process.begun().slice(3)).to.deep.equal(['b0', 'b1', 'b2', 'b3', 'b4']);
    expect(w.rows()).to.deep.equal([]);
  });

  describe('that asks until when rows are due', () => {
    it('begins nothing before it has an answer, and none of it counts as a claim', async () => {
      let open = false;
      const asked: number[] = [];
      const dueBy: DueBy = async (now) => {
        asked.push(now);
        return open ? now : null;
      };
      const w = world({ dueBy });
      const process = w.start();
      await w.clock.advance(POLL_MS);
      expect(asked, 'nothing is due').to.deep.equal([]);
      await w.schedule('a', 1);
      await w.clock.advance(3 * POLL_MS);
      expect([process.begun(), w.rows()[0]!.claims]).to.deep.equal([[], 0]);
      expect(asked.at(-1)).to.equal(w.clock.now());
      open = true;
      await w.clock.advance(POLL_MS);
      expect(process.begun()).to.deep.equal(['a0']);
    });

    it('begins what was due by the answer, under a claim that lasts from now on', async () => {
      const w = world({ dueBy: async (now) => now - 10_000, slow: () => true });
      const leases: number[] = [];
      const inner = { ...w.dueTimes };
      w.dueTimes.claim = (options) => {
        leases.push(options.now + options.leaseMs - w.clock.now());
        return inner.claim(options);
      };
      await w.schedule('a', 1, -10_000);
      await w.schedule('b', 1, -9_999);
      const process = w.start();
      await w.clock.advance(0);
      expect(process.begun()).to.deep.equal(['a0']);
      expect(new Set(leases)).to.deep.equal(new Set([LEASE_MS]));
      await w.clock.advance(POLL_MS);
      expect(process.begun()).to.deep.equal(['a0', 'b0']);
    });

    it('begins it also where every answer takes longer than the time between two looks', async () => {
      const w = world({
        dueBy: (now) => new Promise((resolve) => void w.clock.after(3.5 * POLL_MS, () => resolve(now))),
      });
      await w.schedule('a', 1);
      const process = w.start();
      await w.clock.advance(10 * POLL_MS);
      expect(process.begun()).to.deep.equal(['a0']);
    });

    it('asks it again where it could not be told, and the log says so', async () => {
      let away = true;
      const w = world({
        dueBy: async (now) => {
          if (away) throw new Error('a fault');
          return now;
        },
      });
      await w.schedule('a', 1);
      const process = w.start();
      await w.clock.advance(POLL_MS);
      away = false;
      await w.clock.advance(POLL_MS);
      expect(process.begun()).to.deep.equal(['a0']);
      expect(process.says()[0]).to.equal('error: looking for work failed; it is tried again');
    });

    it('begins nothing where it is stopped before the answer', async () => {
      let tell: (now: number) => void = () => undefined;
      const asked: (() => boolean)[] = [];
      const dueBy: DueBy = (now, stopping) => {
        asked.push(stopping);
        return new Promise((resolve) => (tell = () => resolve(now)));
      };
      const w = world({ dueBy });
      await w.schedule('a', 1);
      const process = w.start();
      await w.clock.advance(0);
      const before = asked[0]!();
      const stopped = process.stop();
      tell(0);
      await soon(stopped);
      expect([before, asked[0]!(), process.begun()]).to.deep.equal([false, true, []]);
    });
  });

  it('tells its caller of work that threw, whose row comes back as its claim runs out', async () => {
    const fault = new Error('a fault');
    const work = async ({ claims }: ClaimedEntry) => {
      if (claims === 1) throw fault;
      return 'done' as const;
    };
    const w = world({ work });
    await w.schedule('a', 1);
    const process = w.start();
    await w.clock.advance(LEASE_MS - 1);
    expect([process.begun(), process.lost, process.says()]).to.deep.equal([['a0'], [fault], []]);
    await w.clock.advance(1);
    expect(w.rows()).to.deep.equal([]);
  });
});
