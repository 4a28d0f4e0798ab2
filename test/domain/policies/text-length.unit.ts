import { expect } from 'chai';
import { longerThan } from '../../../domain/policies/text-length.js';

describe('longerThan', () => {
  for (const [text, longer] of [
    ['', false],
    ['abc', false],
    ['abcd', true],
    ['😀😀😀', false],
    ['😀😀😀a', true],
    ['é'.repeat(3), false],
    ['a'.repeat(7), true],
  ] as const) {
    it(`${text.length} code units: ${longer}`, () => expect(longerThan(text, 3)).to.equal(longer));
  }
});
