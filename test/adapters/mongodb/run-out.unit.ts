import { expect } from 'chai';
import { createRunOut } from '../../../adapters/mongodb/run-out.js';
import { failure } from '../../conformance/support.js';

describe('leases of due times that may have run out', () => {
  function world() {
    const asked: string[] = [];
    const held: { end: number | null; meanwhile?: () => void; away?: boolean } = { end: null };
    const runOut = createRunOut(async (queues) => {
      asked.push([...queues].sort().join());
      if (held.away) throw new Error('away');
      const { end } = held;
      held.meanwhile?.();
      return new Map(end === null ? [] : queues.map((queue) => [queue, end]));
    });
    return { asked, held, runOut };
  }

  it('are asked for once in a while, not by everybody who claims', async () => {
    const { asked, runOut } = world();
    for (const now of [100, 101, 5_099]) expect(await runOut.possible('q', now)).to.equal(false);
    expect(asked).to.deep.equal(['q']);
    await runOut.possible('q', 5_100);
    expect(asked).to.deep.equal(['q', 'q']);
  });

  it('are asked for of all queues at once, but for those that were asked of a moment ago', async () => {
    const { asked, runOut } = world();
    await runOut.possible('a', 1_000);
    await runOut.possible('b', 3_499);
    await runOut.possible('c', 3_500);
    expect(asked).to.deep.equal(['a', 'b', 'a,c']);
    await runOut.possible('a', 8_499);
    await runOut.possible('b', 8_499);
    expect(asked.slice(3)).to.deep.equal(['a,b,c']);
  });

  it('are possible from the moment on at which the first of them ends', async () => {
    const { asked, held, runOut } = world();
    held.end = 200;
    const answers = [];
    for (const now of [100, 199, 200, 900]) answers.push(await runOut.possible('q', now));
    expect(answers).to.deep.equal([false, false, true, true]);
    expect(asked).to.deep.equal(['q']);
  });

  it('are possible when one ends that this process took, also while it asked', async () => {
    const { held, runOut } = world();
    await runOut.possible('q', 100);
    runOut.takes('q', 60_000, 300);
    expect(await runOut.possible('q', 299)).to.equal(false);
    expect(await runOut.possible('q', 300)).to.equal(true);
    held.meanwhile = () => runOut.takes('q', 60_000, 10_500);
    expect(await runOut.possible('q', 10_000)).to.equal(false);
    delete held.meanwhile;
    expect(await runOut.possible('q', 10_500)).to.equal(true);
  });

  it('are asked for four times in a lease of the queue: others take as short ones', async () => {
    const { asked, held, runOut } = world();
    runOut.takes('q', 1_000, 1_100);
    await runOut.possible('q', 100);
    held.end = 400;
    expect(await runOut.possible('q', 349)).to.equal(false);
    expect(await runOut.possible('q', 400)).to.equal(true);
    expect(asked).to.have.length(2);
  });

  it('are asked for again by a clock that was set back, and when they may end earlier', async () => {
    const { asked, runOut } = world();
    await runOut.possible('q', 10_000);
    await runOut.possible('q', 9_999);
    expect(asked).to.have.length(2);
    runOut.forget();
    await runOut.possible('q', 9_999);
    expect(asked).to.have.length(3);
  });

  it('are asked for once by all who claim at one time, and again after a failure', async () => {
    const { asked, held, runOut } = world();
    await Promise.all([runOut.possible('q', 1), runOut.possible('q', 2)]);
    expect(asked).to.have.length(1);
    held.away = true;
    held.end = 3;
    expect((await failure(runOut.possible('q', 6_000))).message).to.equal('away');
    held.away = false;
    expect(await runOut.possible('q', 6_000)).to.equal(true);
  });
});
