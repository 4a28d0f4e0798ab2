import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_CENTS, readMoney, showMoney } from '../../../domain/policies/money.js';
import { runs } from '../../support/soak.js';

describe('money', () => {
  it('comes back as it was, written as text or as a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (cents) => {
        expect(readMoney(showMoney(cents))).to.equal(cents);
        expect(readMoney(Number(showMoney(cents)))).to.equal(cents);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('is shown with two decimals', () => {
    expect([0, 5, 50, 4990, MAX_CENTS].map(showMoney)).to.deep.equal([
      '0.00',
      '0.05',
      '0.50',
      '49.90',
      '9999999.99',
    ]);
  });

  it('is read with none, one or two', () => {
    expect(['49', '49.9', '49.90', 49, 49.9, 0, '0049.90'].map(readMoney)).to.deep.equal([
      4900, 4990, 4990, 4900, 4990, 0, 4990,
    ]);
  });

  for (const wrong of [
    ...['49,90', '1e3', '-1', '1.999', '', ' 1', '1.', '.5', '10000000', 'NaN', '0x10', 'R$ 5', '١'],
    ...[-1, 0.1 + 0.2, 1e21, 1e-7, NaN, Infinity, 10_000_000],
    ...[null, undefined, true, {}, ['1']],
  ]) {
    it(`is not ${JSON.stringify(wrong) ?? 'undefined'} (${typeof wrong})`, () => {
      expect(readMoney(wrong)).to.equal(null);
    });
  }
});
