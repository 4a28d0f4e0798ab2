import { expect } from 'chai';
import type { Session } from '../../../adapters/eventstoredb/session.js';
import { watch } from '../../../adapters/eventstoredb/watchdog.js';
import type { Position, ReadAllPage, StoredRecord } from '../../../ports/event-store.js';
import { record } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

const INTERVAL = 1_000;

const at = (position: string): Position => position as Position;
const found = (position: string): ReadAllPage => ({
  records: [{ ...record(), stream: 's-1', revision: 0, position: at(position) } satisfies StoredRecord],
  next: at(position),
  atEnd: true,
});
const nothing = (next: string): ReadAllPage => ({ records: [], next: at(next), atEnd: true });

function setUp(answer: (after: Position) => ReadAllPage) {
  const session = { received: at('5'), idle: true, confirmed: true, endedBy: undefined };
  const asked: string[] = [];
  const silent: unknown[] = [];
  const clock = manualClock();
  const stop = watch({
    clock,
    intervalMs: INTERVAL,
    session: () => session as unknown as Session,
    next: async (after) => {
      asked.push(after);
      return answer(after);
    },
    onSilent: (ended) => silent.push(ended),
  });
  return { session, asked, silent, stop, clock, pass: () => clock.advance(INTERVAL) };
}

describe('EventStoreDB: watchdog', () => {
  it('ends a session that an interval later still has not got what was written', async () => {
    const dog = setUp(() => found('9'));
    await dog.pass();
    expect(dog.asked).to.deep.equal([]);
    await dog.pass();
    expect(dog.asked).to.deep.equal(['5']);
    expect(dog.silent).to.deep.equal([]);
    await dog.pass();
    expect(dog.silent).to.deep.equal([dog.session]);
  });

  it('leaves one alone that gets it meanwhile', async () => {
    const dog = setUp(() => found('9'));
    await dog.pass();
    await dog.pass();
    dog.session.received = at('9');
    for (let n = 0; n < 2; n += 1) await dog.pass();
    expect(dog.silent).to.deep.equal([]);
    expect(dog.asked).to.deep.equal(['5', '9']);
  });

  it('leaves one alone when nothing of concern was written, and reads no part of the history twice', async () => {
    const dog = setUp((after) => nothing(after === at('5') ? '7' : '8'));
    for (let n = 0; n < 4; n += 1) await dog.pass();
    expect(dog.silent).to.deep.equal([]);
    expect(dog.asked).to.deep.equal(['5', '7', '8']);
  });

  it('leaves one alone whose consumer is busy, and goes on after a read that failed', async () => {
    const dog = setUp(() => {
      throw new Error('away');
    });
    dog.session.idle = false;
    for (let n = 0; n < 3; n += 1) await dog.pass();
    expect(dog.asked).to.deep.equal([]);
    dog.session.idle = true;
    for (let n = 0; n < 4; n += 1) await dog.pass();
    expect(dog.asked).to.deep.equal(['5', '5', '5']);
    expect(dog.silent).to.deep.equal([]);
    dog.stop();
    expect(dog.clock.pending()).to.equal(0);
  });
});
