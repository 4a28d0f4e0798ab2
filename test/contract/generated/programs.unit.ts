import { expect } from 'chai';
import { programsOf, unexpected, type Program } from './programs.js';

describe('programs against generated clients', () => {
  const program: Program = { name: 'a', right: 'ok', wrong: 'no', line: 2 };
  const judged = (right: readonly number[], wrong: readonly number[]): readonly string[] =>
    unexpected([program], (_name, version) =>
      (version === 'right' ? right : wrong).map((line) => ({ line, text: 'error' })),
    );

  it('count only where the right one compiles and the wrong one is refused in the line of its fault', () => {
    expect(judged([], [2])).to.deep.equal([]);
    expect(judged([], [2, 2])).to.deep.equal([]);
    expect(judged([1], [2])).to.deep.equal(['a: the right program is refused: line 1: error']);
    expect(judged([], [])).to.deep.equal(['a: the wrong program is taken']);
    expect(judged([], [2, 3])).to.deep.equal(['a: another line is refused: line 3: error']);
  });

  it('differ from their twins in one line', () => {
    for (const [file, comment] of [
      ['programs.ts.txt', '//'],
      ['programs.py.txt', '#'],
    ] as const) {
      const programs = programsOf(file, comment);
      expect(new Set(programs.map(({ name }) => name)).size).to.equal(programs.length);
      expect(programs).to.have.length.above(40);
      for (const { name, right, wrong, line } of programs) {
        const [good, bad] = [right.split('\n'), wrong.split('\n')];
        const different = good.flatMap((text, index) => (text === bad[index] ? [] : [index + 1]));
        expect(different, name).to.deep.equal([line]);
      }
    }
  });
});
