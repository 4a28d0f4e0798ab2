/** Only a test that fails because of a mutant kills it, and every mutant ends. */
import { expect } from 'chai';
import type { Failure } from './suites.js';
import { Tries } from './tries.js';

const MUTANT = 7;

/** @param fails whether a test fails, given the ids of mutants that ran before in the same suites, -1 for none */
function tries(fails: (test: number, mutant: number, before: readonly number[]) => boolean) {
  const mutation = { active: -1, loops: 0, loopLimit: 0 };
  let runs = 0;
  const failure = (index: number): Failure => ({
    index,
    title: `test ${index}`,
    message: '',
    timedOut: false,
  });
  const subject = new Tries(() => {
    const before: number[] = [];
    return {
      bundle: Promise.resolve({ files: {} }),
      load: async () => ({}) as never,
      async run(_file: string, indexes: readonly number[]) {
        if ((runs += 1) > 50) throw new Error('It is tried again and again.');
        const failed = indexes.find((index) => fails(index, mutation.active, before));
        before.push(mutation.active);
        return failed === undefined ? null : failure(failed);
      },
    };
  }, mutation);
  return (tests: readonly number[] = [0]) =>
    subject.tryMutant({ id: MUTANT, atLoad: false, loopLimit: 1_000, plan: [{ file: 'a.unit.ts', tests }] });
}

const killedBy = (test: number) => ({ status: 'killed', file: 'a.unit.ts', test: `test ${test}` });

describe('a mutant that is tried', () => {
  it('is killed by a test that fails with it and passes without it', async () => {
    expect(await tries((_, mutant) => mutant === MUTANT)()).to.deep.equal(killedBy(0));
  });

  it('has survived where no test fails', async () => {
    expect(await tries(() => false)()).to.deep.equal({ status: 'survived' });
  });

  it('is not killed by a test that fails without it too', async () => {
    expect(await tries((test) => test === 0)([0, 1])).to.deep.equal({ status: 'survived' });
    expect(await tries((test, mutant) => test === 0 || mutant === MUTANT)([0, 1])).to.deep.equal(killedBy(1));
  });

  it('is not killed by what an earlier mutant left behind', async () => {
    let left = true;
    const outcome = await tries((_, _mutant, before) => {
      const failed = left;
      left = left && before.length === 0;
      return failed;
    })();
    expect(outcome).to.deep.equal({ status: 'survived' });
  });

  it('is killed though it leaves something behind in every suite that it was in', async () => {
    const outcome = await tries((_, mutant, before) => mutant === MUTANT || before.includes(MUTANT))();
    expect(outcome).to.deep.equal(killedBy(0));
  });
});
