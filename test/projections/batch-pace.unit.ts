import { expect } from 'chai';
import { APART_MS, BUSY_EVENTS, createBatchPace, ENOUGH_EVENTS } from '../../projections/batch-pace.js';
import { manualClock } from '../support/fakes/manual-clock.js';

describe('the pace of batches', () => {
  function world() {
    const clock = manualClock();
    const pace = createBatchPace(clock);
    /** Time from the beginning of a batch, which takes no time, to the next one; undefined while it waits. */
    async function batch(events: number): Promise<number | undefined> {
      const begunAt = clock.monotonic();
      let waited: number | undefined;
      void pace.next(begunAt, events).then(() => (waited = clock.monotonic() - begunAt));
      await clock.advance(0);
      if (waited === undefined) await clock.advance(APART_MS - 1);
      if (waited === undefined) await clock.advance(1);
      return waited;
    }
    return { clock, pace, batch };
  }

  it('waits for more events where many came within a second, and until a second later', async () => {
    const { clock, batch } = world();
    expect(await batch(BUSY_EVENTS / 2)).to.equal(0);
    expect(await batch(BUSY_EVENTS / 2)).to.equal(APART_MS);
    await clock.advance(1_000);
    expect(await batch(1)).to.equal(APART_MS);
    await clock.advance(1_000);
    expect(await batch(1)).to.equal(0);
  });

  it('waits for nothing where one event comes after the other', async () => {
    const { clock, batch } = world();
    for (let n = 0; n < 200; n += 1) {
      expect(await batch(1)).to.equal(0);
      await clock.advance(10);
    }
  });

  it('waits for nothing on a long way, nor where a batch took as long', async () => {
    const { clock, pace, batch } = world();
    await batch(BUSY_EVENTS / 2);
    expect(await batch(ENOUGH_EVENTS)).to.equal(0);
    const begunAt = clock.monotonic();
    await clock.advance(APART_MS);
    await pace.next(begunAt, 1);
  });

  it('ends its wait at a stop, and waits no more', async () => {
    const { clock, pace } = world();
    await pace.next(clock.monotonic(), ENOUGH_EVENTS);
    await pace.next(clock.monotonic(), ENOUGH_EVENTS);
    const waiting = pace.next(clock.monotonic(), 1);
    pace.stop();
    await waiting;
    await pace.next(clock.monotonic(), 1);
    expect(clock.pending()).to.equal(0);
  });
});
