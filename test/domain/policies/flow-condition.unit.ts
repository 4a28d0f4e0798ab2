import { expect } from 'chai';
import type { Operator } from '../../../domain/flow/blocks.js';
import { asNumber, compilePattern, holds } from '../../../domain/policies/flow-condition.js';

const is = (value: string, operator: Operator, to?: string): boolean =>
  holds({ value, is: operator, ...(to === undefined ? {} : { to }) }, (text) => text);

describe('conditions of flows', () => {
  const cases: readonly (readonly [string, Operator, string | undefined, boolean])[] = [
    ['Sim ', 'equal', 'sim', true],
    ['NÃO', 'equal', 'nao', true],
    ['10', 'equal', '10.0', true],
    ['10', 'not_equal', '11', true],
    ['Instagram Ads', 'contains', 'gram a', true],
    ['Instagram', 'not_contains', 'face', true],
    ['Ônibus', 'starts_with', 'oni', true],
    ['Maçã', 'ends_with', 'ca', true],
    ['10', 'greater', '9', true],
    ['9', 'greater', '10', false],
    ['3,5', 'greater', '3.4', true],
    ['1.234,50', 'equal', '1234.5', true],
    ['abc', 'greater', '1', false],
    ['abc', 'less', '1', false],
    ['2', 'greater_or_equal', '2', true],
    ['2', 'less_or_equal', '2', true],
    ['1', 'less', '2', true],
    ['x', 'set', undefined, true],
    ['', 'set', undefined, false],
    ['  ', 'empty', undefined, true],
    ['Pedido 1234', 'matches', '^pedido \\d+$', true],
    ['Pedido', 'not_matches', '\\d', true],
    ['x', 'matches', '(?=x)', false],
  ];
  for (const [value, operator, to, expected] of cases)
    it(`"${value}" ${operator} ${to ?? ''}: ${expected}`, () => {
      expect(is(value, operator, to)).to.equal(expected);
    });

  it('are joined by all and any', () => {
    const yes = { value: 'a', is: 'equal', to: 'a' } as const;
    const no = { value: 'a', is: 'equal', to: 'b' } as const;
    const render = (text: string): string => text;
    expect([holds({ all: [yes, no] }, render), holds({ any: [no, yes] }, render)]).to.deep.equal([
      false,
      true,
    ]);
    expect([holds({ all: [yes, yes] }, render), holds({ any: [no, no] }, render)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('take a pattern from the author alone: nothing is put into it', () => {
    const render = (text: string): string => text.replace('{{vars.x}}', '.*');
    expect(holds({ value: 'abc', is: 'matches', to: '^{{vars.x}}$' }, render)).to.equal(false);
  });

  it('end at once whatever the pattern', () => {
    // A backtracking engine would take 2^40 steps for this pattern.
    expect(is(`${'a'.repeat(40)}!`, 'matches', '^(a+)+$')).to.equal(false);
    expect(() => compilePattern('(a)\\1')).to.throw();
  });

  it('know what is a number', () => {
    expect(['12', '-3.5', '3,5', '1.234,50', ' 7 '].map(asNumber)).to.deep.equal([12, -3.5, 3.5, 1234.5, 7]);
    expect(['', '1e3', '0x10', '1,234.50', 'Infinity', '1.2.3', '--1'].map(asNumber)).to.deep.equal(
      Array.from({ length: 7 }, () => null),
    );
  });

  it('a number is neither less nor greater than itself', () => {
    for (const operator of ['less', 'greater', 'not_equal'] as const)
      expect(is('2', operator, '2')).to.equal(false);
    expect(is('3', 'less', '2')).to.equal(false);
    expect(is('3', 'less_or_equal', '2')).to.equal(false);
    expect(is('1', 'greater_or_equal', '2')).to.equal(false);
  });
});
