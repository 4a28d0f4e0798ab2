/** The background scheduler: socket events run between its tasks, and the tasks always make progress. */
import { expect } from 'chai';
import { createBackgroundScheduler } from '../../../adapters/embedded/background-scheduler.js';

/** One pass of the event loop. */
const pass = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('embedded store: turns of the background', () => {
  /** Milliseconds that pass only when a test advances them. */
  let time: { now: number };
  beforeEach(() => {
    time = { now: 0 };
  });
  function turns() {
    const own = time;
    return createBackgroundScheduler(() => own.now);
  }

  /** Schedules `count` steps of a millisecond each; returns the number of steps run so far. */
  function steps(count: number, ms = 1) {
    const own = time;
    let taken = 0;
    const background = turns();
    for (let n = 0; n < count; n += 1) {
      background.run(() => {
        taken += 1;
        own.now += ms;
      });
    }
    return { background, taken: () => taken };
  }

  it('end after two milliseconds, so that sockets are looked at', async () => {
    const { taken } = steps(100);
    const seen: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await pass();
      seen.push(taken());
    }
    expect(seen).to.deep.equal([2, 4, 6, 8, 10]);
  });

  it('are measured with all that a step sets going', async () => {
    const background = turns();
    let done = 0;
    const work = async (): Promise<void> => {
      await background.next();
      for (let n = 0; n < 10; n += 1) {
        await Promise.resolve();
        time.now += 1;
      }
      done += 1;
    };
    void Promise.all([work(), work(), work()]);
    for (let n = 1; n <= 3; n += 1) {
      await pass();
      expect(done).to.equal(n);
    }
  });

  it('come in every pass of the loop, however long requests and steps take', async () => {
    const { taken } = steps(50, 40);
    for (let n = 1; n <= 20; n += 1) {
      time.now += 1_000;
      await pass();
      expect(taken()).to.equal(n);
    }
  });

  it('are longer where requests fill the loop: half of what the others had, five milliseconds at the most', async () => {
    const { taken } = steps(100);
    await pass();
    time.now += 8;
    const before = taken();
    await pass();
    expect(taken() - before).to.equal(4);
    time.now += 1_000;
    await pass();
    expect(taken() - before).to.equal(4 + 5);
  });

  it('go in the order of the calls, whatever is asked for meanwhile', async () => {
    const background = turns();
    const order: string[] = [];
    background.run(() => {
      order.push('first');
      background.run(() => order.push('third'));
    });
    background.run(() => order.push('second'));
    await pass();
    expect(order).to.deep.equal(['first', 'second', 'third']);
  });

  it('wait while the background is held, and go on when it is let go or its time is over', async () => {
    const { background, taken } = steps(3);
    background.hold(10);
    time.now += 9;
    for (let n = 0; n < 5; n += 1) await pass();
    expect(taken()).to.equal(0);
    time.now += 1;
    await pass();
    expect(taken()).to.be.greaterThan(0);
    const other = steps(1);
    other.background.hold(10);
    await pass();
    other.background.hold(0);
    await pass();
    expect(other.taken()).to.equal(1);
  });
});
