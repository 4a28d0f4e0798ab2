import { expect } from 'chai';
import { Coverage } from './coverage.js';
import type { DryTest } from './messages.js';

const SOURCE = 'domain/table.ts';
const OTHER = 'domain/other.ts';
/** Mutants: one of a table, reached only by loading the module; two of functions beside it; one of another file. */
const [TABLE, ONE, TWO, ELSEWHERE] = [0, 1, 2, 3];
const SOURCES = new Map([
  [TABLE, SOURCE],
  [ONE, SOURCE],
  [TWO, SOURCE],
  [ELSEWHERE, OTHER],
]);

const testThat = (file: string, reached: readonly number[], ms = 1): DryTest => ({
  file,
  index: 0,
  title: file,
  ms,
  cpuMs: 0,
  passed: true,
  reached,
  loops: 0,
});

function coverage(tests: readonly DryTest[], sources: ReadonlyMap<number, string> = SOURCES): Coverage {
  const imports = new Map(tests.map(({ file }) => [file, new Set([SOURCE, OTHER])]));
  return new Coverage(tests, [TABLE], imports, sources);
}
const filesFor = (of: Coverage, id: number): readonly string[] =>
  of.planFor(id, SOURCE).files.map(({ file }) => file);

describe('which tests try a mutant', () => {
  it('are those that reach it', () => {
    const of = coverage([testThat('one', [ONE]), testThat('two', [TWO])]);
    expect(filesFor(of, TWO)).to.deep.equal(['two']);
  });

  it('are those that reach any function of its file, where only loading reaches it', () => {
    const of = coverage([testThat('one', [ONE]), testThat('two', [TWO]), testThat('other', [ELSEWHERE])]);
    expect(filesFor(of, TABLE)).to.deep.equal(['one', 'two']);
  });

  it('are all that import its file, where it has no function that is reached', () => {
    const of = coverage([testThat('imports', []), testThat('other', [ELSEWHERE])]);
    expect(filesFor(of, TABLE)).to.deep.equal(['imports', 'other']);
  });

  it('are none that are slow or fail', () => {
    const failing = { ...testThat('failing', [ONE]), passed: false };
    const busy = { ...testThat('busy', [ONE]), cpuMs: 1_001 };
    const held = testThat('held up', [ONE], 3_000);
    const slow = testThat('slow', [ONE], 3_001);
    expect(filesFor(coverage([slow, busy, failing, held]), ONE)).to.deep.equal(['held up']);
  });

  it('need every mutant that is woven in, not those of a sample', () => {
    const sample = new Map([[TABLE, SOURCE]]);
    expect(() => coverage([testThat('one', [ONE])], sample)).to.throw('nobody knows its file');
  });

  it('begin with the file that killed most of this source', () => {
    const of = coverage([testThat('quick', [ONE], 1), testThat('slower', [ONE], 2)]);
    expect(filesFor(of, ONE)).to.deep.equal(['quick', 'slower']);
    of.countKill(SOURCE, 'slower');
    expect(filesFor(of, ONE)).to.deep.equal(['slower', 'quick']);
  });
});
