import { expect } from 'chai';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { contactWords } from '../../../domain/policies/contact-words.js';
import { runs } from '../../support/soak.js';

describe('contact words', () => {
  it('a Brazilian number has the national number that the tables tell', () => {
    const brazilian = fc.stringMatching(/^55[1-9]\d{9,10}$/);
    fc.assert(
      fc.property(brazilian, (digits) => {
        const phone = `+${digits}`;
        const national = parsePhoneNumberFromString(phone)?.nationalNumber ?? digits;
        const words = contactWords({
          phone,
          phoneKey: digits,
          name: null,
          email: null,
          externalIds: [],
          tags: [],
        });
        expect(words).to.include.members([digits, national, digits.slice(-4)]);
        expect(words[1] === digits.slice(-4) || words[1] === national, words.join(' ')).to.equal(true);
      }),
      { numRuns: runs(300) },
    );
  });
});
