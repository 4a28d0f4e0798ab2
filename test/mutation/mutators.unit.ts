import { expect } from 'chai';
import { findMutants } from './mutants.js';

/** The mutants of a statement, as `mutator: replacement`. */
const mutantsOf = (text: string): readonly string[] =>
  findMutants('file.ts', text).mutants.map(({ mutator, replacement }) => `${mutator}: ${replacement}`);

describe('mutators', () => {
  it('move a boundary, negate a comparison and make it certain', () => {
    expect(mutantsOf('const a = x < y;')).to.deep.equal([
      'boundary: (x) <= (y)',
      'equality: (x) >= (y)',
      'condition: true',
      'condition: false',
    ]);
  });

  it('make each part of a condition irrelevant, and the whole certain once', () => {
    const found = mutantsOf('if (a && (b || c)) d();').filter((text) => text.startsWith('condition'));
    expect(found).to.deep.equal([
      'condition: true',
      'condition: false',
      'condition: true',
      'condition: true',
      'condition: false',
      'condition: false',
    ]);
  });

  it('leave an `&&` that chooses a value without a condition', () => {
    expect(mutantsOf('const a = b && c;')).to.deep.equal(['logical: (b) || (c)']);
  });

  it('never make a loop endless by its condition', () => {
    expect(mutantsOf('while (a) b += 1;').filter((text) => text.startsWith('condition'))).to.deep.equal([
      'condition: false',
    ]);
  });

  it('exchange operators, except where text is put together', () => {
    expect(mutantsOf('const a = b + c % d;')).to.deep.equal([
      'arithmetic: (b) - (c % d)',
      'arithmetic: (c) * (d)',
    ]);
    expect(mutantsOf("const a = b + ' and more';")).to.deep.equal([]);
    expect(mutantsOf('const a = b ?? c;')).to.deep.equal(['logical: (b) && (c)']);
  });

  it('count the other way, and leave a statement out', () => {
    expect(mutantsOf('i++;')).to.deep.equal(['statement: undefined', 'update: i--']);
    expect(mutantsOf('i += 2;')).to.deep.equal(['statement: undefined', 'update: i -= 2']);
  });

  it('empty literals, and fill empty ones', () => {
    expect(mutantsOf('const a = [b];')).to.deep.equal(['array: []']);
    expect(mutantsOf('const a = [];')).to.deep.equal(["array: ['mutated']"]);
    expect(mutantsOf('const a = { b };')).to.deep.equal(['object: {}']);
  });

  it('change words that machines read, not text for people', () => {
    expect(mutantsOf("const a = 'not_found';")).to.deep.equal(["word: ''"]);
    expect(mutantsOf("const a = 'There is none.';")).to.deep.equal([]);
    expect(mutantsOf('const a = `${b}-${c}`;')).to.deep.equal(["word: ''"]);
    expect(mutantsOf('const a = `${b} of ${c}`;')).to.deep.equal([]);
  });

  it('remove a call or take its opposite', () => {
    expect(mutantsOf('const a = b.filter(c);')).to.deep.equal(['method: b']);
    expect(mutantsOf('const a = b.some(c);')).to.deep.equal(['method: every']);
  });

  it('remove what a block or a case does, once', () => {
    expect(mutantsOf('function a() { b(); c(); }')).to.include('block: ');
    expect(mutantsOf('function a() { b(); }')).to.deep.equal(['statement: undefined']);
    expect(mutantsOf('function a() { return b; }')).to.deep.equal(['return: ']);
    expect(mutantsOf('switch (a) { case 1: b(); break; }')).to.include('block: ');
  });

  it('return nothing', () => {
    expect(mutantsOf('const a = (b) => b.c;')).to.deep.equal(['return: undefined']);
    expect(mutantsOf('function a(b) { if (b) { d(); return c; } return 1; }')).to.include(
      'return: undefined',
    );
  });

  it('leave out types, schemas, imports and what types prove unreachable', () => {
    expect(mutantsOf("import a from 'b'; type C = 'c'; interface D { e: 'e' }")).to.deep.equal([]);
    expect(mutantsOf("const a = Type.Object({ b: Type.Literal('b') });")).to.deep.equal([]);
    expect(mutantsOf("defineEvent('A', 1, 'b', {});")).to.deep.equal(['statement: undefined']);
    expect(mutantsOf('switch (a) { default: return a satisfies never; }')).to.deep.equal([]);
  });

  it('tell where a mutant stands', () => {
    const [mutant] = findMutants('a/file.ts', 'const a =\n  b < c;', 7).mutants;
    expect(mutant).to.deep.include({ id: 7, file: 'a/file.ts', line: 2, column: 3, original: 'b < c' });
  });
});
