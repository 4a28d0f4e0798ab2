/** The lanes that a process reads, how much of each it reads, and when it checks again. */
import { expect } from 'chai';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { INBOUND_LANES, INBOUND_UPDATES, laneRows } from '../../../workers/inbound/hand-on.js';
import { startLanes } from '../../../workers/inbound/lanes.js';
import { createPeopleInOrder } from '../../../workers/inbound/people-in-order.js';
import { deferred } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { soon } from '../../support/soon.js';
import { memoryIntake, NUMBER, texts } from './memory-intake.js';

/** Limit of store calls in one test: far more than any test needs. */
const MOST_ASKED = 1_000;

describe('lanes that are read', () => {
  let asked: number;
  beforeEach(() => {
    asked = 0;
  });
  afterEach(() => {
    expect(asked, 'calls of the store').to.be.at.most(MOST_ASKED);
  });

  function world() {
    const intake = memoryIntake();
    const { app, clock, dueTimes } = intake;
    const read: number[] = [];
    const slices: number[] = [];
    const claims: { queue: string; lane: string; limit: number; leaseMs: number }[] = [];
    const inner = { ...dueTimes };
    const asks = (what: string): void => {
      if ((asked += 1) > MOST_ASKED) throw new Error(`there is no end of ${what}`);
    };
    dueTimes.count = async (...of) => {
      asks('counts');
      return inner.count(...of);
    };
    dueTimes.claim = async (options) => {
      asks('claims');
      claims.push(options);
      if (options.queue === INBOUND_UPDATES) slices.push(options.limit);
      return inner.claim(options);
    };
    return {
      ...intake,
      read,
      slices,
      /** Claims, in this pool, of the rows that assign lanes to readers. */
      claimed: (lane: string) => claims.filter((one) => one.queue === INBOUND_LANES && one.lane === lane),
      start: () =>
        startLanes(app, { people: createPeopleInOrder(), onRead: (count) => void read.push(count) }),
      /** Schedules a row for the lane, so that a process reads it. */
      announce: (...lanes: readonly string[]) => dueTimes.schedule(laneRows(lanes, clock.now() - 1_000)),
      lanes: () => dueTimes.rows(INBOUND_LANES).map(({ id }) => id),
      left: () => dueTimes.rows(INBOUND_UPDATES).map(({ id }) => id),
      says: () => intake.log.map(({ level, message }) => `${level}: ${message}`),
    };
  }

  it('are those in which something lies: each is read to its end, and its row goes', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    await w.lay(texts(['bia']), `${NUMBER}/history`);
    await w.announce(NUMBER, `${NUMBER}/history`);
    const lanes = w.start();
    expect(await lanes.waiting()).to.equal(2);
    await w.clock.advance(0);
    expect(w.applied()).to.have.length(2);
    expect([w.left(), w.lanes()]).to.deep.equal([[], []]);
    expect(w.read).to.deep.equal([1, 1]);
    await soon(lanes.stop());
  });

  it('are begun at once where this process announces them, and within a second where another does', async () => {
    const w = world();
    const inner = { ...w.dueTimes };
    for (const heard of [true, false]) {
      w.dueTimes.onScheduled = (listener) => (heard ? inner.onScheduled(listener) : () => undefined);
      const lanes = w.start();
      await w.clock.advance(10);
      await w.lay(texts(['ana']));
      await w.announce(NUMBER);
      await w.clock.advance(900);
      expect(w.left(), String(heard)).to.have.length(heard ? 0 : 1);
      await w.clock.advance(100);
      expect(w.left()).to.deep.equal([]);
      await soon(lanes.stop());
    }
    expect(w.clock.pending(), 'nothing is left to do').to.equal(0);
  });

  for (const [pool, lane, most] of [
    ['numbers', (n: number) => String(n), 16],
    ['histories', (n: number) => `${n}/history`, 2],
    ['accounts', (n: number) => `intake-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 4],
  ] as const) {
    it(`of ${pool} are ${most} at once, each of which leaves its place to the next`, async () => {
      const w = world();
      const slow = deferred();
      w.answers.channel = () => slow.promise;
      const names = Array.from({ length: most + 3 }, (_, n) => lane(n));
      for (const name of names) await w.lay(texts([`p${name.length}${name}`], '7'), name);
      await w.announce(...names);
      const lanes = w.start();
      await w.clock.advance(2_000);
      expect(w.dueTimes.rows(INBOUND_LANES).filter(({ claims }) => claims > 0)).to.have.length(most);
      expect(w.claimed(pool)[0]).to.deep.include({ limit: most, leaseMs: 60_000 });
      slow.resolve();
      await w.clock.advance(0);
      expect([w.left(), w.lanes()]).to.deep.equal([[], []]);
      await soon(lanes.stop());
    });
  }

  it('get a hundred updates each after some slices, and ten at least where many are read', async () => {
    const w = world();
    const lanes = w.start();
    const begun = [10, 20, 40, 80, 100];
    for (const each of begun) {
      await w.lay(texts([`of ${each}`]));
      await w.announce(NUMBER);
      await w.clock.advance(0);
      expect(w.slices.at(-1)).to.equal(each);
    }
    expect(w.slices).to.deep.equal(begun);
    const slow = deferred();
    w.answers.channel = () => slow.promise;
    for (let n = 0; n < 16; n += 1) await w.lay(texts([`p${n}`], '7'), String(n));
    await w.announce(...Array.from({ length: 16 }, (_, n) => String(n)));
    await w.clock.advance(0);
    expect(w.slices.slice(begun.length)).to.have.length(16);
    expect(w.slices.at(-1)).to.equal(10);
    expect(w.slices[begun.length + 1]).to.equal(80);
    slow.resolve();
    await w.clock.advance(0);
    await soon(lanes.stop());
  });

  it('that are long are read slice by slice, and others come in between', async () => {
    const w = world();
    await w.lay(texts(Array.from({ length: 250 }, (_, n) => `a${n}`)));
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(0);
    expect(w.applied()).to.have.length(250);
    expect(w.slices.length).to.be.greaterThan(2);
    expect(w.read.filter((count) => count > 0)).to.deep.equal([1]);
    expect(w.dueTimes.rows(INBOUND_LANES)).to.deep.equal([]);
    await soon(lanes.stop());
  });

  it('are left for two seconds while a store is away, and the log says so once', async () => {
    const w = world();
    let away = true;
    w.answers.channel = async () => {
      if (away) throw new StoreUnavailable('gone');
    };
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(1_900);
    expect(w.slices).to.deep.equal([10]);
    away = false;
    await w.clock.advance(1_100);
    expect(w.applied()).to.deep.equal(['e1/0']);
    expect([w.left(), w.lanes()]).to.deep.equal([[], []]);
    expect(w.says()).to.deep.equal([
      'warn: reading provider webhooks failed; it is tried again',
      'warn: reading provider webhooks works again',
    ]);
    await soon(lanes.stop());
  });

  it('are put back for two seconds when a slice can not begin', async () => {
    const w = world();
    const inner = { ...w.dueTimes };
    let faults = 1;
    w.dueTimes.claim = async (options) => {
      if (options.queue === INBOUND_UPDATES && (faults -= 1) >= 0) throw new StoreUnavailable('gone');
      return inner.claim(options);
    };
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(1_900);
    expect(w.applied()).to.deep.equal([]);
    await w.clock.advance(1_100);
    expect(w.applied()).to.deep.equal(['e1/0']);
    expect(w.says()[0]).to.equal('warn: reading provider webhooks failed; it is tried again');
    await soon(lanes.stop());
  });

  it('come back when their claim runs out where nothing can be settled', async () => {
    const w = world();
    const inner = { ...w.dueTimes };
    let away = true;
    w.dueTimes.settle = async (settlements) => {
      if (away) throw new StoreUnavailable('gone');
      return inner.settle(settlements);
    };
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(59_000);
    expect(w.slices).to.have.length(1);
    away = false;
    await w.clock.advance(3_000);
    expect([w.left(), w.lanes()]).to.deep.equal([[], []]);
    await soon(lanes.stop());
  });

  it('are looked for again where they can not be claimed, and the log says so', async () => {
    const w = world();
    const inner = { ...w.dueTimes };
    let away = true;
    w.dueTimes.claim = async (options) => {
      if (away) throw new Error('a fault');
      return inner.claim(options);
    };
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(500);
    away = false;
    await w.clock.advance(1_000);
    expect(w.applied()).to.deep.equal(['e1/0']);
    expect(w.says()).to.deep.equal([
      'error: looking for provider webhooks to read failed; it is tried again',
      'warn: looking for provider webhooks to read works again',
    ]);
    await soon(lanes.stop());
  });

  it('are found again where a process died and left no row of theirs: at the start, and twice a minute', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    const lanes = w.start();
    await w.clock.advance(1_000);
    expect(w.applied()).to.deep.equal(['e1/0']);
    await w.lay(texts(['bia']));
    await w.clock.advance(28_000);
    expect(w.applied()).to.have.length(1);
    await w.clock.advance(3_000);
    expect(w.applied()).to.have.length(2);
    await soon(lanes.stop());
  });

  it('are read once more where something came during the last look', async () => {
    const w = world();
    const inner = { ...w.dueTimes };
    let came = false;
    w.dueTimes.settle = async (settlements) => {
      if (!came) {
        came = true;
        await w.lay(texts(['bia']));
      }
      return inner.settle(settlements);
    };
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(0);
    expect(w.applied()).to.deep.equal(['e1/0', 'e2/0']);
    expect(w.lanes()).to.deep.equal([]);
    await soon(lanes.stop());
  });

  it('whose rows another process holds still are looked at a second later', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    const held = { queue: INBOUND_UPDATES, lane: NUMBER, now: w.clock.now(), limit: 1, leaseMs: 500 };
    await w.dueTimes.claim(held);
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(900);
    expect(w.slices.slice(1)).to.have.length(1);
    await w.clock.advance(1_100);
    expect(w.applied()).to.deep.equal(['e1/0']);
    await soon(lanes.stop());
  });

  it('are caught up with once what was there is read, also where another process reads it', async () => {
    const w = world();
    const lanes = w.start();
    await soon(lanes.caughtUp());
    const slow = deferred();
    w.answers.channel = () => slow.promise;
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    let up = 0;
    const mine = lanes.caughtUp().then(() => (up += 1));
    await w.clock.advance(3_000);
    expect(up).to.equal(0);
    slow.resolve();
    await turns();
    await soon(mine);
    await w.lay(texts(['bia']), 'elsewhere');
    const theirs = lanes.caughtUp().then(() => (up += 1));
    await turns();
    await w.dueTimes.cancel(INBOUND_UPDATES, ['e2']);
    await w.clock.advance(400);
    expect(up).to.equal(1);
    await w.clock.advance(100);
    await soon(theirs);
    expect(up).to.equal(2);
    await soon(lanes.stop());
  });

  it('are not waited for by who stops, and their rows stay for others', async () => {
    const w = world();
    await w.lay(texts(['ana']), 'elsewhere');
    const lanes = w.start();
    await turns();
    await w.dueTimes.cancel(INBOUND_LANES, ['elsewhere']);
    await w.lay(texts(['bia']), 'elsewhere');
    const waiting = lanes.caughtUp();
    await turns();
    await soon(lanes.stop());
    await soon(waiting);
    await w.announce(NUMBER);
    await w.lay(texts(['carla']));
    await w.clock.advance(60_000);
    expect(w.lanes()).to.deep.equal([NUMBER]);
    expect(w.left()).to.include('e3');
    expect(w.clock.pending()).to.equal(0);
  });

  it('that are being read are waited for by a stop; no other is begun', async () => {
    const w = world();
    const slow = deferred();
    w.answers.channel = () => slow.promise;
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const lanes = w.start();
    await w.clock.advance(2_000);
    let stopped = false;
    const stop = lanes.stop().then(() => (stopped = true));
    await w.lay(texts(['bia']), '7');
    await w.announce('7');
    await w.clock.advance(60_000);
    expect([stopped, w.slices.length]).to.deep.equal([false, 1]);
    slow.resolve();
    await soon(stop);
    expect(w.applied()).to.deep.equal(['e1/0']);
    expect(w.left()).to.deep.equal(['e2']);
  });

  it('are looked for in the pool that was announced, and for no other queue', async () => {
    const w = world();
    const lanes = w.start();
    await w.clock.advance(0);
    const before = (pool: string): number => w.claimed(pool).length;
    const [numbers, histories] = [before('numbers'), before('histories')];
    await w.dueTimes.schedule([{ queue: 'other', id: 'x', lane: 'numbers', dueAt: 0, payload: {} }]);
    await w.clock.advance(0);
    expect([before('numbers'), before('histories')]).to.deep.equal([numbers, histories]);
    await w.announce(NUMBER);
    await w.clock.advance(0);
    expect(before('numbers')).to.be.greaterThan(numbers);
    expect(before('histories')).to.equal(histories);
    await soon(lanes.stop());
  });

  it('that were claimed in the moment of a stop are put back as they were', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const inner = { ...w.dueTimes };
    const slow = deferred();
    w.dueTimes.claim = async (options) => {
      const found = await inner.claim(options);
      await slow.promise;
      return found;
    };
    const lanes = w.start();
    await turns();
    const stopped = lanes.stop();
    slow.resolve();
    await soon(stopped);
    expect(w.applied()).to.deep.equal([]);
    const again = await inner.claim({
      queue: INBOUND_LANES,
      lane: 'numbers',
      now: w.clock.now(),
      limit: 1,
      leaseMs: 1,
    });
    expect(again.map(({ id, dueAt }) => [id, dueAt])).to.deep.equal([[NUMBER, w.clock.now() - 1_000]]);
  });
});
