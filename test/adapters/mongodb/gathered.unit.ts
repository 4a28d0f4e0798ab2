import { expect } from 'chai';
import { gathered } from '../../../adapters/mongodb/gathered.js';
import { yieldToEventLoop } from '../../../ports/waiting.js';

describe('questions to MongoDB that come up together', () => {
  const asking = (most?: number) => {
    const asked: (readonly string[])[] = [];
    const find = gathered(async (keys) => {
      asked.push(keys);
      return new Map(keys.filter((key) => key !== 'nothing').map((key) => [key, `${key}!`]));
    }, most);
    return { asked, find };
  };

  it('are put as one, each key once, and everybody is given their own answer', async () => {
    const { asked, find } = asking();
    const answers = await Promise.all(['a', 'b', 'a', 'nothing'].map(find));
    expect(answers).to.deep.equal(['a!', 'b!', 'a!', undefined]);
    expect(asked).to.deep.equal([['a', 'b', 'nothing']]);
  });

  it('may wait for others a moment longer', async () => {
    const asked: (readonly string[])[] = [];
    let go: () => void = () => undefined;
    const moment = new Promise<void>((resolve) => (go = resolve));
    const find = gathered(
      async (keys) => {
        asked.push(keys);
        return new Map(keys.map((key) => [key, key]));
      },
      500,
      () => moment,
    );
    const first = find('a');
    await yieldToEventLoop();
    await yieldToEventLoop();
    const second = find('b');
    go();
    expect([await first, await second, asked]).to.deep.equal(['a', 'b', [['a', 'b']]]);
  });

  it('are not answered with what was asked for before they came up', async () => {
    let stored = 'before';
    let put = 0;
    let answer: () => void = () => undefined;
    const find = gathered(async (keys) => {
      put += 1;
      const seen = stored;
      if (put === 1) await new Promise<void>((resolve) => (answer = resolve));
      return new Map(keys.map((key) => [key, seen]));
    });
    const first = find('a');
    while (put === 0) await yieldToEventLoop();
    stored = 'after';
    const second = find('a');
    expect(await second).to.equal('after');
    answer();
    expect(await first).to.equal('before');
  });

  it('are so many at the most in one', async () => {
    const { asked, find } = asking(2);
    expect(await Promise.all(['a', 'b', 'c'].map(find))).to.deep.equal(['a!', 'b!', 'c!']);
    expect(asked).to.deep.equal([['a', 'b'], ['c']]);
  });

  it('fail for all who share one, and for nobody else', async () => {
    let fails = true;
    const find = gathered(async (keys) => {
      if (fails) throw new Error('away');
      return new Map(keys.map((key) => [key, key]));
    });
    const outcomes = await Promise.allSettled(['a', 'b'].map(find));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    fails = false;
    expect(await find('a')).to.equal('a');
  });
});
