import { expect } from 'chai';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { Lease, Leases } from '../../../ports/leases.js';
import { silentLogger } from '../../../ports/logger.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { whileHolding, type ExclusiveRun } from '../../../workers/kernel/exclusive.js';
import { deferred } from '../../conformance/support.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { soon } from '../../support/soon.js';

/** Processes under one authority, which can take a lease from its holder. `seen` counts concurrent runs of the work. */
function world() {
  const clock = manualClock();

  const inner = createLeases();
  const given: Lease[] = [];
  const leases: Leases = {
    ...inner,
    async acquire(name) {
      const lease = await inner.acquire(name);
      if (lease) given.push(lease);
      return lease;
    },
  };
  const seen = { now: 0, most: 0, begun: 0, stopped: 0 };
  return {
    clock,
    leases,
    given,
    seen,
    lose: () => given.at(-1)!.release(),
    /** Holds the lease and works as a process of its own. */
    holding: (work: Parameters<typeof whileHolding>[2], over: Leases = leases) =>
      whileHolding({ leases: over, clock, logger: silentLogger }, 'x', work),
    run: (): ExclusiveRun => {
      seen.now += 1;
      seen.begun += 1;
      seen.most = Math.max(seen.most, seen.now);
      return {
        async stop() {
          await turns(2);
          seen.now -= 1;
          seen.stopped += 1;
        },
      };
    },
  };
}

describe('work for one process at a time', () => {
  it('runs in one of two, and in the other one soon after that stopped', async () => {
    const { clock, seen, run, holding } = world();
    const [first, second] = [holding(run), holding(run)];
    await clock.advance(5_000);
    expect([first.running(), second.running()]).to.deep.equal([true, false]);
    await soon(first.stop());
    expect(first.running()).to.equal(false);
    await clock.advance(1_300);
    expect(second.running()).to.equal(true);
    await soon(second.stop());
    expect(seen).to.deep.equal({ now: 0, most: 1, begun: 2, stopped: 2 });
    expect(clock.pending(), 'timers left behind').to.equal(0);
  });

  it('never runs twice under one authority, whatever ends it', async () => {
    const { clock, seen, run, holding } = world();
    let turn = 0;
    const unreliable = async (): Promise<ExclusiveRun> => {
      turn += 1;
      if (turn % 3 === 0) throw new Error('could not begin');
      const active = run();
      await turns(1);
      return { ...active, ended: turns(turn % 5) };
    };
    const processes = [1, 2, 3].map(() => holding(unreliable));
    await clock.advance(20_000);
    await soon(Promise.all(processes.map((process) => process.stop())));
    expect(seen.begun).to.be.greaterThan(5);
    expect(seen.most).to.equal(1);
    expect(seen.now).to.equal(0);
    expect(clock.pending()).to.equal(0);
  });

  it('stops at once when the lease is lost, and asks for it again', async () => {
    const { clock, given, lose, seen, run, holding } = world();
    const exclusive = holding(run);
    await turns();
    await lose();
    await turns();
    expect(seen).to.include({ now: 0, stopped: 1 });
    expect(exclusive.running()).to.equal(false);
    await clock.advance(1_300);
    expect(exclusive.running()).to.equal(true);
    expect(given.map(({ fence }) => fence)).to.deep.equal([1, 2]);
    await soon(exclusive.stop());
  });

  it('stops what it began under a lease that was lost meanwhile', async () => {
    const { lose, seen, run, holding } = world();
    const beginning = deferred();
    const exclusive = holding(async () => {
      await beginning.promise;
      return run();
    });
    await turns();
    await lose();
    beginning.resolve();
    await turns();
    expect(seen).to.include({ begun: 1, stopped: 1 });
    await soon(exclusive.stop());
  });

  for (const [what, ended] of [
    ['ends', () => Promise.resolve()],
    ['breaks off', () => Promise.reject(new Error('broke off'))],
  ] as const) {
    it(`lets another process go on when its work ${what} by itself`, async () => {
      const { run, holding } = world();
      const stopped: string[] = [];
      const bad = holding(() => ({
        ended: ended(),
        stop: async () => void stopped.push('bad'),
      }));
      await turns();
      expect(stopped).to.deep.equal(['bad']);
      const good = holding(run);
      await turns();
      expect(good.running()).to.equal(true);
      await soon(Promise.all([bad.stop(), good.stop()]));
    });
  }

  it('stops at every stage: while asking, beginning, running, pausing', async () => {
    for (const stage of ['asking', 'beginning', 'running', 'pausing'] as const) {
      const { clock, leases, given, seen, run, holding } = world();
      const gate = deferred();
      const slow: Leases = {
        ...leases,
        async acquire(name) {
          if (stage === 'asking') await gate.promise;
          return stage === 'pausing' ? null : leases.acquire(name);
        },
      };
      const exclusive = holding(async () => {
        if (stage === 'beginning') await gate.promise;
        return run();
      }, slow);
      await turns();
      const stopping = exclusive.stop();
      gate.resolve();
      await soon(stopping);
      await soon(exclusive.stop());
      expect(seen.now, stage).to.equal(0);
      expect(
        given.some((lease) => lease.held()),
        stage,
      ).to.equal(false);
      expect(clock.pending(), stage).to.equal(0);
    }
  });

  it('asks at a steady pace while the leases are away, and complains once', async () => {
    const { clock, run } = world();
    let asked = 0;
    let lines = 0;
    const leases: Leases = {
      ...createLeases(),
      acquire: async () => {
        asked += 1;
        throw new StoreUnavailable('away');
      },
    };
    const logger = { ...silentLogger, warn: () => void (lines += 1), error: () => void (lines += 1) };
    const exclusive = whileHolding({ leases, clock, logger }, 'x', run);
    await clock.advance(60_000);
    expect(asked).to.be.within(45, 85);
    expect(lines).to.equal(1);
    await soon(exclusive.stop());
  });
});
