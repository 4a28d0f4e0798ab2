/** Work of a restore, done concurrently up to a limit. */
import { expect } from 'chai';
import { eachAtOnce } from '../../../workers/restore/at-once.js';

describe('work side by side', () => {
  it('is done once for each of all, fifty at once', async () => {
    const done: number[] = [];
    let under = 0;
    let most = 0;
    await eachAtOnce(Array(120).keys(), async (n) => {
      under += 1;
      most = Math.max(most, under);
      await Promise.resolve();
      under -= 1;
      done.push(n);
    });
    expect(done).to.deep.equal([...Array(120).keys()]);
    expect(most).to.equal(50);
  });
});
