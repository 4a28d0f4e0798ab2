import { transformSync } from 'esbuild';
import { expect } from 'chai';
import { findMutants } from './mutants.js';
import { MutationSwitch } from './switch.js';
import { weave } from './weave.js';

/** The function `f` of a source text, and a way to call it with one mutant switched on. */
function woven(text: string) {
  const file = findMutants('file.ts', text);
  const { code } = transformSync(weave(file), { loader: 'ts' });
  const mutation = new MutationSwitch();
  // The evaluated text is written in this file.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const make = new Function('__mutation', `${code}; return f;`) as (
    given: MutationSwitch,
  ) => (...args: unknown[]) => unknown;
  const f = make(mutation);
  return {
    mutation,
    original: (...args: unknown[]) => f(...args),
    mutated: (original: string, replacement: string, ...args: unknown[]) => {
      const mutant = file.mutants.find((one) => one.original === original && one.replacement === replacement);
      expect(mutant, `${original} → ${replacement}`).to.not.equal(undefined);
      mutation.active = mutant!.id;
      try {
        return f(...args);
      } finally {
        mutation.active = -1;
      }
    },
  };
}

describe('woven source', () => {
  it('does what the original did while no mutant is on', () => {
    const { original, mutated } = woven(
      'function f(a: number, b: number): boolean { return a < b && b < 10; }',
    );
    expect([original(1, 2), original(2, 2), original(2, 12)]).to.deep.equal([true, false, false]);
    expect(mutated('a < b', '(a) <= (b)', 2, 2)).to.equal(true);
    expect(mutated('b < 10', 'true', 2, 12)).to.equal(true);
  });

  it('keeps `this` of a method call, and what the end of a chain skips', () => {
    const { original, mutated } = woven('function f(a?: string) { return a?.trim().toUpperCase().length; }');
    expect([original(' b '), original(undefined)]).to.deep.equal([1, undefined]);
    expect(mutated('a?.trim()', 'a', ' b ')).to.equal(3);
    expect(() => mutated('?.', '.', undefined)).to.throw(TypeError);
  });

  it('removes blocks and the statements of a case', () => {
    const { original, mutated } = woven(`function f(a: string) {
      let b = 0;
      if (a === '') { b = 1; b += 1; }
      switch (a) {
        case 'c': b += 5; break;
        default: b += 10;
      }
      return b;
    }`);
    expect([original(''), original('c'), original('d')]).to.deep.equal([12, 5, 10]);
    expect(mutated('{ b = 1; b += 1; }', '', '')).to.equal(10);
    expect(mutated("case 'c': b += 5; break;", '', 'c')).to.equal(10);
  });

  it('leaves what is written to in its place', () => {
    const { original } = woven(`function f() {
      const o: Record<string, number> = {};
      let [a, b] = [1, 2];
      [a, b] = [b, a];
      o['k'] = a; o['k'] += b; o['k']++; delete o['gone'];
      for (const x of [1]) o['k'] += x;
      return o['k'];
    }`);
    expect(original()).to.equal(5);
  });

  it('ends a loop that a mutant keeps from ending', () => {
    const { original, mutated, mutation } = woven(
      'function f(n: number) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }',
    );
    mutation.loopLimit = 1_000;
    expect(original(4)).to.equal(6);
    expect(() => mutated('i++', 'i--', 4)).to.throw('A loop does not end.');
  });

  it('notes which mutants a run reaches', () => {
    const { original, mutation } = woven('function f(a: boolean) { return a ? 1 + 1 : 2 - 1; }');
    mutation.reached = new Set();
    original(true);
    expect(mutation.reached.size).to.equal(4);
  });
});
