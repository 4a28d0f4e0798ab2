import { expect } from 'chai';
import fc from 'fast-check';
import { alteredNumber } from '../../../domain/policies/json-numbers.js';

describe('numbers of a JSON text', () => {
  for (const written of [
    ...['0', '-0', '0.0', '0e400', '1', '0.1', '1e2', '1.50', '1E+2', '9007199254740992', '1e308'],
    // Doubles in the notation of languages that write all 17 significant digits.
    ...['0.10000000000000001', '0.30000000000000004', '1.1000000000000001', '-12345.678900000001'],
  ]) {
    it(`${written} is kept`, () => expect(alteredNumber(`{"n":${written}}`)).to.equal(null));
  }

  for (const written of [
    ...['1e999', '-1e400', '1e-400', '9007199254740993', '12345678901234567', '0.1000000000000000055'],
    ...['123456789012345678901234567890', '0.1234567890123456789'],
  ]) {
    it(`${written} would become another one`, () => {
      expect(alteredNumber(`{"a":[1,{"n":${written}}]}`)).to.deep.equal({ path: ['a', '1', 'n'] });
    });
  }

  it('finds none in texts, names and what a double holds', () => {
    expect(alteredNumber('{"1e999":"1e999 12345678901234567890","a":"\\"1e999"}')).to.equal(null);
    fc.assert(fc.property(fc.jsonValue(), (value) => alteredNumber(JSON.stringify(value)) === null));
  });
});
