import { expect } from 'chai';
import { START, StoreUnavailable, type Position } from '../../ports/event-store.js';
import { createProgress } from '../../projections/progress.js';
import { manualClock } from '../support/fakes/manual-clock.js';

const at = (n: number) => String(n).padStart(4, '0') as Position;

describe('how far the read models are', () => {
  function world() {
    const clock = manualClock();
    const stored: { position: Position; fails: boolean; hangs: boolean; reads: number } = {
      position: START,
      fails: false,
      hangs: false,
      reads: 0,
    };
    const progress = createProgress({
      clock,
      readModels: {
        async checkpoint() {
          stored.reads += 1;
          if (stored.fails) throw new StoreUnavailable('away');
          if (stored.hangs) return new Promise(() => undefined);
          return stored.position;
        },
      },
    });
    const answers: string[] = [];
    const ask = (n: number, ms: number) =>
      void progress.reached(at(n), ms).then((reached) => answers.push(`${n} ${reached ? 'reached' : 'not'}`));
    return { clock, stored, progress, answers, ask };
  }

  it('is told by a runner of this process at once, for good and for less', async () => {
    const { clock, progress, answers, ask, stored } = world();
    ask(5, 1_000);
    ask(7, 1_000);
    progress.note(at(6));
    await clock.advance(0);
    expect(answers).to.deep.equal(['5 reached']);
    expect(stored.reads, 'asks the store only where nobody reports in time').to.equal(0);
    progress.note(at(4));
    const reads = stored.reads;
    expect(await progress.reached(at(6), 0)).to.equal(true);
    expect(stored.reads, 'needed no look').to.equal(reads);
  });

  it('is not looked up where a runner of this process has just reported, and is where it falls silent', async () => {
    const { clock, progress, stored, answers, ask } = world();
    progress.note(at(1));
    ask(2, 1_000);
    await clock.advance(90);
    expect(stored.reads).to.equal(0);
    stored.position = at(2);
    await clock.advance(30);
    expect([stored.reads, answers]).to.deep.equal([1, ['2 reached']]);
    ask(3, 1_000);
    await clock.advance(20);
    expect(stored.reads, 'a look is no report').to.be.greaterThan(1);
  });

  it('is looked up while somebody waits, once for all of them, and not afterwards', async () => {
    const { clock, stored, answers, ask } = world();
    for (let n = 1; n <= 50; n += 1) ask(n, 2_000);
    await clock.advance(100);
    expect(stored.reads).to.be.within(5, 15);
    stored.position = at(50);
    await clock.advance(20);
    expect(answers).to.have.length(50);
    const reads = stored.reads;
    await clock.advance(10_000);
    expect(stored.reads).to.equal(reads);
    expect(clock.pending()).to.equal(0);
  });

  it('is not waited for longer than said, also when the look never ends', async () => {
    const { clock, stored, answers, ask } = world();
    ask(1, 500);
    await clock.advance(499);
    expect(answers).to.deep.equal([]);
    await clock.advance(2);
    expect(answers).to.deep.equal(['1 not']);
    stored.hangs = true;
    ask(2, 500);
    ask(3, 700);
    await clock.advance(1_000);
    expect(answers).to.deep.equal(['1 not', '2 not', '3 not']);
  });

  it('is unknown at once when it can not be asked, and asked again by the next', async () => {
    const { clock, stored, answers, ask } = world();
    stored.fails = true;
    ask(1, 5_000);
    await clock.advance(20);
    expect(answers).to.deep.equal(['1 not']);
    stored.fails = false;
    stored.position = at(2);
    ask(2, 5_000);
    await clock.advance(20);
    expect(answers).to.deep.equal(['1 not', '2 reached']);
  });
});
