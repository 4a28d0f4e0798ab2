import { expect } from 'chai';
import { systemClock } from '../../../adapters/clock/system.js';
import { createSharedClock } from '../../../adapters/clock/shared.js';
import { silentLogger } from '../../../ports/logger.js';

const HOUR = 3_600_000;
const START = 1_800_000_000_000;

describe('the clock of one of several processes', () => {
  function machine() {
    const state = { wall: START, monotonic: 1_000 };
    const pass = (ms: number): void => {
      state.wall += ms;
      state.monotonic += ms;
    };
    const clock = createSharedClock(silentLogger, {
      now: () => state.wall,
      monotonic: () => state.monotonic,
      after: (ms, task) => systemClock.after(ms, task),
    });
    return { state, pass, clock };
  }

  it('goes on as time does, whatever the wall clock is set to', () => {
    const { state, pass, clock } = machine();
    pass(250);
    state.wall += HOUR;
    expect(clock.now()).to.equal(START + 250);
    state.wall -= 3 * HOUR;
    pass(250);
    expect(clock.now()).to.equal(START + 500);
  });

  it('takes the time of the server that all share, less half of the way there and back', async () => {
    const { pass, clock } = machine();
    await clock.follow(async () => {
      pass(100);
      return START - HOUR;
    });
    expect(clock.now()).to.equal(START - HOUR + 50);
    clock.stop();
  });

  it('leaves small differences alone, and answers that took too long, and none', async () => {
    for (const answer of [START + 400, START - 400, null]) {
      const { clock } = machine();
      await clock.follow(async () => answer);
      expect(clock.now()).to.equal(START);
      clock.stop();
    }
    const { pass, clock } = machine();
    await clock.follow(async () => {
      pass(3_000);
      return START + HOUR;
    });
    expect(clock.now()).to.equal(START + 3_000);
    clock.stop();
    const away = machine();
    await away.clock.follow(() => Promise.reject(new Error('away')));
    expect(away.clock.now()).to.equal(START);
    away.clock.stop();
  });
});
