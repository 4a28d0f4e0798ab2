import { expect } from 'chai';
import fc from 'fast-check';
import { leasesWorld, type Process, type World } from './leases-world.js';
import { runs } from '../../support/soak.js';

const NAME = 'relay';

/** Acquires about every second, holds the lease for `holdMs`, releases it, and repeats. */
function keepAsking(world: World, process: Process, holdMs: () => number): void {
  const ask = (): void => {
    process.acquire(NAME).then(
      (lease) => {
        if (lease === null) return world.at(world.now() + 1_000, ask);
        world.at(world.now() + holdMs(), () => void lease.release().catch(() => undefined));
        void lease.ended.then(() => world.at(world.now() + 1_000, ask));
      },
      () => world.at(world.now() + 1_000, ask),
    );
  };
  ask();
}

const holding = (processes: readonly Process[]): number =>
  processes.filter((process) => !process.paused()).flatMap(({ leases }) => leases.filter((l) => l.held()))
    .length;

/** Returns the given numbers in an endless cycle. */
function cycle(numbers: readonly number[]): () => number {
  let at = 0;
  return () => numbers[at++ % numbers.length]!;
}

describe('leases without a common clock', () => {
  const quick = () => 1;

  it('are kept for as long as the process renews them', async () => {
    const world = leasesWorld(quick);
    const [a, b] = [world.process('a'), world.process('b')];
    void a.acquire(NAME);
    await world.run(100);
    for (let second = 0; second < 60; second += 1) {
      void b.acquire(NAME);
      await world.run(1_000);
      expect(a.leases[0]!.held(), `after ${second} s`).to.equal(true);
    }
    expect(b.leases).to.deep.equal([]);
  });

  it('go to a watcher within seconds when the holder is gone, and the holder knows before', async () => {
    const world = leasesWorld(quick);
    const [a, b] = [world.process('a'), world.process('b')];
    void a.acquire(NAME);
    await world.run(5_000);
    const diedAt = world.now();
    world.pause(a, 1_000_000);
    while (b.leases.length === 0 && world.now() < diedAt + 60_000) {
      void b.acquire(NAME);
      await world.run(1_000);
    }
    expect(world.now() - diedAt).to.be.within(6_000, 9_000);
    expect(b.leases[0]!.fence).to.be.greaterThan(a.leases[0]!.fence);
    expect(a.leases[0]!.held(), 'by its clock, before any timer of its own has run').to.equal(false);
    let ended = false;
    void a.leases[0]!.ended.then(() => {
      ended = true;
    });
    await world.run(0);
    expect(ended).to.equal(true);
  });

  it('are not held on the first look of a process that stood still for longer than the term', async () => {
    const world = leasesWorld(quick);
    const a = world.process('a');
    void a.acquire(NAME);
    await world.run(3_000);
    const [lease] = a.leases;
    world.pause(a, 7_000);
    const looks: boolean[] = [];
    await world.run(7_000, () => {
      if (!a.paused()) looks.push(lease!.held());
    });
    expect(looks.length).to.be.greaterThan(0);
    expect(looks).to.not.include(true);
  });

  it('outlive a store that does not answer for a moment, and end in time when it stays away', async () => {
    let stuckUntil = 0;
    const world: World = leasesWorld(() => (world.now() < stuckUntil ? stuckUntil - world.now() : 1));
    const a = world.process('a');
    void a.acquire(NAME);
    await world.run(1_000);
    const [lease] = a.leases;
    stuckUntil = 3_500;
    await world.run(29_000);
    expect(lease!.held()).to.equal(true);
    stuckUntil = Infinity;
    let endedAt = 0;
    void lease!.ended.then(() => {
      endedAt = world.now();
    });
    const from = world.now();
    await world.run(10_000);
    expect(lease!.held()).to.equal(false);
    expect(endedAt - from, 'resolved when the belief ended').to.be.within(1_900, 4_100);
  });

  /** Returns the given delays in order, there and back for each request; then `rest`. */
  function scripted(questions: readonly (readonly [number, number])[], rest: number): () => number {
    const left = questions.flat();
    return () => left.shift() ?? rest;
  }

  it('are believed from when a renewal began, not from when its answer came', async () => {
    const never = 20_000;
    const world = leasesWorld(
      scripted(
        [
          [1, 1],
          [1, 1],
          [1, 1_900],
        ],
        never,
      ),
    );
    const a = world.process('a');
    void a.acquire(NAME);
    await world.run(10);
    const [lease] = a.leases;
    let endedAt = 0;
    void lease!.ended.then(() => {
      endedAt = world.now();
    });
    await world.run(20_000);
    expect(endedAt).to.be.within(6_000, 6_010);
  });

  it('are not lost when a renewal is refused because a later one was quicker', async () => {
    const world = leasesWorld(
      scripted(
        [
          [1, 1],
          [1, 1],
          [1_500, 1],
          [1, 400],
        ],
        1,
      ),
    );
    const a = world.process('a');
    void a.acquire(NAME);
    await world.run(20_000);
    expect(a.leases[0]!.held()).to.equal(true);
  });

  it('save what is left with a renewal, for the next holder after a crash', async () => {
    const world = leasesWorld(quick);
    const [a, b] = [world.process('a'), world.process('b')];
    void a.acquire(NAME);
    await world.run(10);
    a.leases[0]!.leave({ tat: 7 });
    await world.run(2_500);
    world.pause(a, 1_000_000);
    for (let second = 0; second < 12; second += 1) {
      void b.acquire(NAME);
      await world.run(1_000);
    }
    expect(b.leases[0]!.left).to.deep.equal({ tat: 7 });
  });

  it('are lost for good when another holder has come, even when answers come late', async () => {
    const world = leasesWorld(quick);
    const [a, b] = [world.process('a'), world.process('b')];
    void a.acquire(NAME);
    await world.run(100);
    world.pause(a, 12_000);
    for (let second = 0; second < 14; second += 1) {
      void b.acquire(NAME);
      await world.run(1_000);
    }
    expect(a.leases[0]!.held()).to.equal(false);
    expect(b.leases[0]!.held()).to.equal(true);
    void a.leases[0]!.release();
    await world.run(1_000);
    expect(b.leases[0]!.held(), 'a late release takes nothing away').to.equal(true);
  });

  it('are believed by one process at a time, whatever is delayed, lost or paused', async function () {
    this.timeout(120_000);
    const delays = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 50 }) },
        { weight: 3, arbitrary: fc.integer({ min: 50, max: 6_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 6_000, max: 20_000 }) },
      ),
      { minLength: 1, maxLength: 40 },
    );
    const pauses = fc.array(
      fc.record({ who: fc.nat(2), at: fc.nat(90_000), ms: fc.integer({ min: 100, max: 15_000 }) }),
      { maxLength: 8 },
    );
    const holds = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 6 });
    const rates = fc.array(fc.double({ min: 0.95, max: 1.05, noNaN: true }), { minLength: 3, maxLength: 3 });
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(delays, pauses, holds, rates, async (times, stops, periods, speeds) => {
        let faults = true;
        const next = cycle(times);
        const world: World = leasesWorld(() => (faults ? next() : 5));
        const processes = speeds.map((rate, i) => world.process(`p${i}`, rate));
        const holdMs = cycle(periods);
        for (const process of processes) keepAsking(world, process, holdMs);
        for (const { who, at, ms } of stops) world.at(at, () => world.pause(processes[who]!, ms));
        const look = (): void => {
          expect(holding(processes), `holders at ${world.now()} ms`).to.be.at.most(1);
        };
        await world.run(90_000, look);
        faults = false;
        await world.run(30_000, look);
        const fences = processes.flatMap(({ leases }) => leases.map(({ fence }) => fence));
        expect(new Set(fences).size, 'one holder to a fence').to.equal(fences.length);
        const before = fences.length;
        await world.run(60_000, look);
        const after = processes.flatMap(({ leases }) => leases).length;
        expect(after + holding(processes), 'it goes on once the faults are over').to.be.greaterThan(before);
        changes += after;
      }),
      { numRuns: runs(60) },
    );
    expect(changes, 'the lease went around').to.be.greaterThan(200);
  });
});
