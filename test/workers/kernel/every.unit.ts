/** A round of work, repeated. */
import { expect } from 'chai';
import { every } from '../../../workers/kernel/every.js';
import { deferred } from '../../conformance/support.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { soon } from '../../support/soon.js';

describe('rounds of work', () => {
  function world(round: (stopping: () => boolean) => Promise<unknown>) {
    const clock = manualClock();
    const { logger, log } = collectingLogger();
    const begun = clock.now();
    const at: number[] = [];
    const rounds = every({ clock, logger }, 1_000, 'tidying up', (stopping) => {
      at.push(clock.now() - begun);
      return round(stopping);
    });
    return { clock, log, at, rounds };
  }

  it('come after their pause, the first one too', async () => {
    const w = world(async () => undefined);
    await w.clock.advance(999);
    expect(w.at).to.deep.equal([]);
    await w.clock.advance(2_001);
    expect(w.at).to.deep.equal([1_000, 2_000, 3_000]);
    await soon(w.rounds.stop());
    expect(w.clock.pending()).to.equal(0);
    await w.clock.advance(5_000);
    expect([w.at.length, w.log]).to.deep.equal([3, []]);
  });

  it('begin only after the one before has ended', async () => {
    const slow = deferred();
    const w = world(() => slow.promise);
    await w.clock.advance(5_000);
    expect(w.at).to.deep.equal([1_000]);
    slow.resolve();
    await w.clock.advance(1_000);
    expect(w.at).to.deep.equal([1_000, 6_000]);
    await soon(w.rounds.stop());
  });

  it('go on where one fails, which the log says, and that they work again', async () => {
    let fails = true;
    const w = world(async () => {
      if (fails) throw new Error('a fault');
    });
    await w.clock.advance(1_000);
    fails = false;
    await w.clock.advance(1_000);
    expect(w.at).to.deep.equal([1_000, 2_000]);
    expect(w.log.map(({ level, message }) => [level, message])).to.deep.equal([
      ['error', 'tidying up failed; it is tried again'],
      ['warn', 'tidying up works again'],
    ]);
    await soon(w.rounds.stop());
  });

  it('are waited for by a stop, which the one under way is told', async () => {
    const slow = deferred();
    const told: boolean[] = [];
    const w = world(async (stopping) => {
      told.push(stopping());
      await slow.promise;
      told.push(stopping());
    });
    await w.clock.advance(1_000);
    let stopped = false;
    const stopping = w.rounds.stop().then(() => (stopped = true));
    await w.clock.advance(5_000);
    expect(stopped).to.equal(false);
    slow.resolve();
    await soon(stopping);
    expect(told).to.deep.equal([false, true]);
    await w.clock.advance(5_000);
    expect([w.at.length, w.clock.pending()]).to.deep.equal([1, 0]);
  });
});
