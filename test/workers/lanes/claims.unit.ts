/** The claim loop: which due times of lanes it remembers, which group it asks next, and how often it asks the store. */
import { expect } from 'chai';
import type { ClaimedEntry } from '../../../ports/due-times.js';
import { createThrottledErrorLog } from '../../../workers/kernel/throttled-error-log.js';
import type { Rounds } from '../../../workers/kernel/rounds.js';
import {
  CLAIM_AGAIN_MS,
  noteDue,
  startClaims,
  type ClaimOptions,
  type DueLane,
} from '../../../workers/lanes/claims.js';
import { deferred } from '../../conformance/support.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { closedAfterEach } from '../../support/opened.js';
import { LEASE_MS, POLL_MS, QUEUE, rowsOf } from './process.js';

const NOW = 1_000;

interface Group extends DueLane, Rounds {
  readonly name: string;
}

describe('the loop that claims rows', () => {
  const opened = closedAfterEach();

  /** Each lane is a group of its own, which may claim two rows at a time. */
  function world(options: Partial<ClaimOptions<Group>> = {}) {
    const clock = manualClock();
    const dueTimes = memoryDueTimes(() => clock.now());
    const { logger } = collectingLogger();
    const groups = new Map<string, Group>();
    const taken: string[] = [];
    const asked: string[] = [];
    const failed: unknown[] = [];
    const before = { claim: async () => {} };
    let crowded = false;
    function group(name: string): Group {
      const known = groups.get(name) ?? {
        name,
        nextDueAt: Infinity,
        moreLater: false,
        pumping: false,
        again: false,
      };
      groups.set(name, known);
      return known;
    }
    const store = {
      ...dueTimes,
      async claim(request: Parameters<typeof dueTimes.claim>[0]): Promise<readonly ClaimedEntry[]> {
        asked.push(request.lane);
        await before.claim();
        return dueTimes.claim(request);
      },
      async lanes(queue: string, now: number) {
        asked.push('lanes');
        return dueTimes.lanes(queue, now);
      },
    };
    const claims = startClaims<Group>(
      { dueTimes: store, clock },
      {
        queue: QUEUE,
        leaseMs: LEASE_MS,
        pollMs: POLL_MS,
        prompt: true,
        trouble: createThrottledErrorLog({ clock, logger }, 'listing'),
        heard(name, dueAt) {
          noteDue(group(name), dueAt, clock.now());
          claims.look(group(name));
        },
        next(of) {
          if (of.nextDueAt === Infinity) return null;
          if (of.nextDueAt > clock.now()) return { inMs: of.nextDueAt - clock.now() };
          return crowded ? 'crowded' : { lane: of, name: of.name, limit: 2 };
        },
        take: (_, __, rows) => void taken.push(...rows.map(({ id }) => id)),
        failed: (error) => failed.push(error),
        ...options,
      },
    );
    opened({ close: () => claims.stop() });
    return {
      clock,
      dueTimes,
      claims,
      group,
      taken,
      asked,
      failed,
      before,
      crowd: (yes: boolean) => void (crowded = yes),
      schedule: (lane: string, count: number, inMs = 0) =>
        dueTimes.schedule(rowsOf(lane, count, clock.now() + inMs)),
    };
  }

  it('lists on one beat, whenever it began, and never much later than asked for', async () => {
    const w = world();
    await w.clock.advance(POLL_MS / 2);
    const listed: number[] = [];
    const later = startClaims<Group>(
      {
        dueTimes: { ...w.dueTimes, lanes: async () => (listed.push(w.clock.monotonic()), []) },
        clock: w.clock,
      },
      {
        queue: QUEUE,
        leaseMs: LEASE_MS,
        pollMs: POLL_MS,
        prompt: false,
        heard: () => undefined,
        next: () => null,
        take: () => undefined,
        failed: () => undefined,
        trouble: createThrottledErrorLog({ clock: w.clock, logger: collectingLogger().logger }, 'listing'),
      },
    );
    opened({ close: () => later.stop() });
    const began = w.clock.monotonic();
    await w.clock.advance(2 * POLL_MS);
    expect(listed.map((at) => at - began)).to.deep.equal([POLL_MS / 2, 1.5 * POLL_MS]);
  });

  it('claims at once what this process schedules, and goes on while claims come back full', async () => {
    const w = world();
    await w.schedule('a', 3);
    await turns();
    expect([w.taken, w.asked]).to.deep.equal([
      ['a0', 'a1', 'a2'],
      ['a', 'a'],
    ]);
  });

  it('has one claim under way in a group, and looks again for what was heard meanwhile', async () => {
    const w = world();
    const answer = deferred();
    w.before.claim = () => answer.promise;
    await w.schedule('a', 1);
    await w.schedule('b', 1);
    await w.dueTimes.schedule([{ queue: QUEUE, id: 'late', lane: 'a', dueAt: w.clock.now(), payload: {} }]);
    await turns();
    expect([w.asked, w.claims.busy()]).to.deep.equal([['a', 'b'], true]);
    w.before.claim = async () => {};
    answer.resolve();
    await turns();
    expect([[...w.taken].sort(), w.claims.busy()]).to.deep.equal([['a0', 'b0', 'late'], false]);
    expect(w.asked.slice(2)).to.deep.equal(['a']);
  });

  it('wakes each group at its time, by one timer', async () => {
    const w = world({ pollMs: 60_000 });
    const begun = w.clock.now();
    await w.schedule('b', 1, 2_000);
    await w.schedule('a', 1, 1_000);
    await w.schedule('c', 1, 3_000);
    expect(w.clock.pending(), 'the poll and the timer').to.equal(2);
    for (const [at, taken] of [
      [999, []],
      [1_000, ['a0']],
      [2_000, ['a0', 'b0']],
      [3_000, ['a0', 'b0', 'c0']],
    ] as const) {
      await w.clock.advance(begun + at - w.clock.now());
      expect(w.taken, `after ${at} ms`).to.deep.equal(taken);
    }
  });

  it('asks again a second after a claim that failed, and other lanes meanwhile', async () => {
    const w = world({ pollMs: 60_000 });
    const error = new Error('away');
    w.before.claim = () => Promise.reject(error);
    await w.schedule('a', 1);
    await turns();
    w.before.claim = async () => {};
    await w.schedule('b', 1);
    await w.clock.advance(CLAIM_AGAIN_MS - 1);
    expect([w.taken, w.failed]).to.deep.equal([['b0'], [error]]);
    await w.clock.advance(1);
    expect(w.taken).to.deep.equal(['b0', 'a0']);
  });

  it('asks those that were crowded in the order in which they came, or in that of who asks', async () => {
    for (const [order, taken] of [
      [undefined, ['a0', 'b0', 'c0']],
      [(a: Group, b: Group) => (a.name < b.name ? 1 : -1), ['c0', 'b0', 'a0']],
    ] as const) {
      const w = world();
      w.crowd(true);
      for (const lane of ['a', 'b', 'c']) await w.schedule(lane, 1);
      w.claims.roomAgain(order);
      await turns();
      expect([w.taken, w.asked]).to.deep.equal([[], []]);
      w.crowd(false);
      w.claims.roomAgain(order);
      await turns();
      expect(w.taken).to.deep.equal(taken);
    }
  });

  it('has no more claims under way than it may; who had to wait goes first', async () => {
    const w = world({ claimsAtOnce: 2 });
    const answers: (() => void)[] = [];
    w.before.claim = () => new Promise((resolve) => answers.push(resolve));
    for (const lane of ['a', 'b', 'c', 'd']) await w.schedule(lane, 2);
    await turns();
    expect(w.asked).to.deep.equal(['a', 'b']);
    answers[0]!();
    await turns();
    expect(w.asked, 'and not more of the one that was full').to.deep.equal(['a', 'b', 'c']);
    for (let n = 1; n < 8; n += 1) {
      answers[n]?.();
      await turns();
    }
    expect(w.asked.slice(3)).to.deep.equal(['d', 'a', 'b', 'c', 'd']);
    expect(w.taken).to.have.length(8);
  });

  it('lists at each poll, and tells of what it found', async () => {
    const found: unknown[] = [];
    const w = world({ prompt: false, heard: (...what) => void found.push(what) });
    await w.schedule('a', 1, 5_000);
    await w.clock.advance(POLL_MS - 1);
    expect(found).to.deep.equal([]);
    await w.clock.advance(1);
    expect(found).to.deep.equal([['a', w.clock.now() + 4_000, 'found']]);
  });

  it('lists nothing while it may not', async () => {
    let may = false;
    const w = world({ beforeList: () => may });
    await w.clock.advance(3 * POLL_MS);
    expect(w.asked).to.deep.equal([]);
    may = true;
    await w.clock.advance(POLL_MS);
    expect(w.asked).to.deep.equal(['lanes']);
  });

  it('puts back as it was what it claims in the moment of a stop, and waits for that and for work', async () => {
    const w = world();
    const [answer, work] = [deferred(), deferred()];
    w.claims.track(work.promise);
    w.before.claim = () => answer.promise;
    await w.schedule('a', 1, -1);
    let stopped = false;
    void w.claims.stop().then(() => (stopped = true));
    answer.resolve();
    await turns();
    const dueAt = w.clock.now() - 1;
    expect([w.taken, stopped]).to.deep.equal([[], false]);
    expect(w.dueTimes.rows(QUEUE)[0]).to.deep.include({ dueAt, fence: 0 });
    work.resolve();
    await turns();
    expect([stopped, w.clock.pending()]).to.deep.equal([true, 0]);
  });

  for (const [known, dueAt, next, moreLater] of [
    [Infinity, NOW + 5, NOW + 5, false],
    [NOW + 5, NOW + 5, NOW + 5, false],
    [NOW + 5, NOW + 9, NOW + 5, true],
    [NOW + 9, NOW + 5, NOW + 5, true],
    [NOW - 2, NOW, NOW - 2, false],
    [NOW - 2, NOW + 1, NOW - 2, true],
  ] as const) {
    it(`keeps the earliest of ${known - NOW} and ${dueAt - NOW} ms from now${moreLater ? ', and that more comes' : ''}`, () => {
      const lane = { nextDueAt: known, moreLater: false };
      noteDue(lane, dueAt, NOW);
      expect(lane).to.deep.equal({ nextDueAt: next, moreLater });
    });
  }
});
