/** Lanes of a process that stops, and calls that do not concern them. */
import { expect } from 'chai';
import { INBOUND_LANES, INBOUND_UPDATES, laneRows } from '../../../workers/inbound/hand-on.js';
import { startLanes } from '../../../workers/inbound/lanes.js';
import { createPeopleInOrder } from '../../../workers/inbound/people-in-order.js';
import { deferred } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { soon } from '../../support/soon.js';
import { memoryIntake, NUMBER, texts } from './memory-intake.js';

describe('lanes of a process that stops', () => {
  function world() {
    const intake = memoryIntake();
    const { app, dueTimes, clock } = intake;
    const inner = { ...dueTimes };
    const claims: string[] = [];
    const gate = {
      before: async (): Promise<void> => undefined,
      after: async (): Promise<void> => undefined,
    };
    dueTimes.claim = async (options) => {
      claims.push(`${options.queue} ${options.lane}`);
      await gate.before();
      const found = await inner.claim(options);
      await gate.after();
      return found;
    };
    return {
      ...intake,
      inner,
      gate,
      claims,
      start: () => startLanes(app, { people: createPeopleInOrder() }),
      announce: (...lanes: readonly string[]) => dueTimes.schedule(laneRows(lanes, clock.now() - 1_000)),
    };
  }

  it('that were claimed in that moment are put back for others, as they were', async () => {
    const w = world();
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    const { dueAt } = w.dueTimes.rows(INBOUND_LANES)[0]!;
    const claimed = deferred();
    w.gate.after = () => claimed.promise;
    const lanes = w.start();
    await turns();
    const stopped = lanes.stop();
    claimed.resolve();
    await soon(stopped);
    expect(w.applied()).to.deep.equal([]);
    expect(w.dueTimes.rows(INBOUND_LANES)[0]).to.include({ id: NUMBER, dueAt });
    const wanted = { queue: INBOUND_LANES, lane: 'numbers', now: w.clock.now(), limit: 1, leaseMs: 1 };
    expect(await w.inner.claim(wanted)).to.have.length(1);
  });

  it('are claimed no more, however many are announced', async () => {
    const w = world();
    const lanes = w.start();
    await turns();
    await soon(lanes.stop());
    const before = w.claims.length;
    await w.lay(texts(['ana']));
    await w.announce(NUMBER);
    await w.clock.advance(5_000);
    expect(w.claims).to.have.length(before);
  });

  it('are looked for in their own pool, and by nothing that is scheduled elsewhere', async () => {
    const w = world();
    const lanes = w.start();
    await turns();
    w.claims.length = 0;
    await w.dueTimes.schedule([
      { queue: INBOUND_UPDATES, id: 'x', lane: 'numbers', dueAt: w.clock.now() + 60_000, payload: {} },
      { queue: INBOUND_LANES, id: 'y', lane: 'another', dueAt: w.clock.now(), payload: {} },
    ]);
    await turns();
    expect(w.claims).to.deep.equal([]);
    await w.lay(texts(['ana']), `${NUMBER}/history`);
    await w.announce(`${NUMBER}/history`);
    await turns();
    expect(new Set(w.claims.filter((one) => one.startsWith(INBOUND_LANES)))).to.deep.equal(
      new Set([`${INBOUND_LANES} histories`]),
    );
    await soon(lanes.stop());
  });

  it('leave nobody waiting who asked whether all was read, and nothing on the clock', async () => {
    const w = world();
    const lanes = w.start();
    await turns();
    await w.lay(texts(['ana']), 'elsewhere');
    await w.dueTimes.cancel(INBOUND_LANES, ['elsewhere']);
    const waiting = Promise.all([lanes.caughtUp(), lanes.caughtUp()]);
    await w.clock.advance(2_000);
    const pending = w.clock.pending();
    await soon(lanes.stop());
    await soon(waiting);
    expect(pending, 'one look for each who waits').to.equal(4);
    expect(w.clock.pending()).to.equal(0);
  });
});
