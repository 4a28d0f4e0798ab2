import { expect } from 'chai';
import fc from 'fast-check';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { parsePhone, phoneKey } from '../../../domain/policies/phone.js';

/** The 67 area codes in use. */
const AREA_CODES = [
  '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49',
  '51 53 54 55 61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89',
  '91 92 93 94 95 96 97 98 99',
].flatMap((line) => line.split(' '));

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((d) => d.join(''));
const areaCode = fc.constantFrom(...AREA_CODES);
const legacyMobile = fc
  .tuple(areaCode, fc.constantFrom('6', '7', '8', '9'), digits(7))
  .map(([area, first, rest]) => ({ area, local: first + rest }));

describe('phone key', () => {
  it('knows 67 area codes', () => {
    expect(AREA_CODES).to.have.length(67);
    for (let code = 10; code <= 99; code += 1) {
      const folded = phoneKey(`+55${code}88887777`) === `55${code}988887777`;
      expect(folded, String(code)).to.equal(AREA_CODES.includes(String(code)));
    }
  });

  it('is the same for both spellings of a mobile, in every area', () => {
    fc.assert(
      fc.property(legacyMobile, ({ area, local }) => {
        expect(phoneKey(`+55${area}${local}`)).to.equal(`55${area}9${local}`);
        expect(phoneKey(`+55${area}9${local}`)).to.equal(`55${area}9${local}`);
      }),
    );
  });

  it('never touches a landline, nor a number whose tail a landline could have', () => {
    fc.assert(
      fc.property(areaCode, fc.constantFrom('2', '3', '4', '5'), digits(7), (area, first, rest) => {
        expect(phoneKey(`+55${area}${first}${rest}`)).to.equal(`55${area}${first}${rest}`);
        expect(phoneKey(`+55${area}9${first}${rest}`)).to.equal(`55${area}9${first}${rest}`);
      }),
    );
  });

  it('is idempotent and total', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          digits(12),
          legacyMobile.map((m) => `55${m.area}${m.local}`),
        ),
        (text) => {
          const key = phoneKey(text);
          expect(key).to.match(/^\d*$/);
          expect(phoneKey(key)).to.equal(key);
        },
      ),
    );
  });

  it('keeps different lines apart', () => {
    fc.assert(
      fc.property(legacyMobile, legacyMobile, (a, b) => {
        fc.pre(a.area !== b.area || a.local !== b.local);
        expect(phoneKey(`+55${a.area}${a.local}`)).to.not.equal(phoneKey(`+55${b.area}9${b.local}`));
      }),
    );
  });

  const table: readonly (readonly [string, string, string])[] = [
    ['São Paulo, old mobile that starts with 9', '+551198887777', '5511998887777'],
    ['São Paulo, old mobile that starts with 8', '+551188887777', '5511988887777'],
    ['Rio, new mobile', '+5521988887777', '5521988887777'],
    ['Belo Horizonte, old mobile', '+553188887777', '5531988887777'],
    ['area code 55 (Santa Maria), old mobile', '+555588887777', '5555988887777'],
    ['area code 55, without the country code: not touched', '5588887777', '5588887777'],
    ['Fortaleza, old mobile', '+558588887777', '5585988887777'],
    ['Brasília, landline', '+556133224455', '556133224455'],
    ['0800', '+558000464636', '558000464636'],
    ['4004', '+5540041234', '5540041234'],
    ['Mexico, without the old 1', '+525512345678', '525512345678'],
    ['Mexico, with the old 1', '+5215512345678', '5215512345678'],
    ['Argentina, mobile 9', '+5491123456789', '5491123456789'],
    ['Portugal, twelve digits', '+351912345678', '351912345678'],
    ['an area code nobody has', '+552088887777', '552088887777'],
  ];
  for (const [name, phone, key] of table) {
    it(`${name}: ${phone} -> ${key}`, () => {
      expect(phoneKey(phone)).to.equal(key);
    });
  }
});

describe('a phone as a caller writes it', () => {
  const good: readonly (readonly [string, string, string])[] = [
    ['+5511987654321', '+5511987654321', '5511987654321'],
    ['+55 (11) 98765-4321', '+5511987654321', '5511987654321'],
    ['+55 31 8888.7777', '+553188887777', '5531988887777'],
    ['+55 55 98888-7777', '+5555988887777', '5555988887777'],
    ['+55 11 95123-4567', '+5511951234567', '5511951234567'],
    ['+55 11 4002-8922', '+551140028922', '551140028922'],
    ['+55 800 046 4636', '+558000464636', '558000464636'],
    ['+52 1 55 1234 5678', '+5215512345678', '5215512345678'],
    ['+52 55 1234 5678', '+525512345678', '525512345678'],
    ['+54 9 11 2345-6789', '+5491123456789', '5491123456789'],
    ['+1 650 253 0000', '+16502530000', '16502530000'],
    ['+351 912 345 678', '+351912345678', '351912345678'],
  ];
  for (const [text, e164, key] of good) {
    it(`${text} is ${e164}`, () => {
      expect(parsePhone(text, 'recipient.phone')).to.deep.equal({ e164, key });
    });
  }

  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /Start with \+/],
    ['11987654321', /Start with \+/],
    ['5511987654321', /Start with \+/],
    ['0055 11 98765-4321', /Start with \+/],
    ['+', /not a possible/],
    ['+55', /not a possible/],
    ['+551198765', /not a possible/],
    ['+55119876543210', /not a possible/],
    ['+999123456789', /not a possible/],
    ['+55 11 9876x-4321', /not a possible/],
    ['+5511987654321;ext=1', /not a possible/],
    ['+55119876543２1', /not a possible/],
    [`+${'5'.repeat(400)}`, /not a possible/],
  ];
  for (const [text, hint] of bad) {
    it(`${JSON.stringify(text.slice(0, 24))} is refused with a hint`, () => {
      let refusal: unknown;
      try {
        parsePhone(text, 'recipient.phone');
      } catch (error) {
        refusal = error;
      }
      if (!(refusal instanceof Refusal)) throw new Error('expected a refusal', { cause: refusal });
      expect(refusal.code).to.equal('validation_failed');
      const { fields } = refusal.details as { fields: { path: string; code: string; message: string }[] };
      expect(fields).to.have.length(1);
      expect(fields[0]).to.include({ path: 'recipient.phone', code: 'phone_invalid' });
      expect(fields[0]!.message).to.match(hint);
    });
  }

  it('is stored as given: reading it back gives the same', () => {
    const international = fc.tuple(fc.constantFrom('55', '52', '521', '54', '549', '1', '351'), digits(10));
    let accepted = 0;
    fc.assert(
      fc.property(international, ([country, rest]) => {
        let phone;
        try {
          phone = parsePhone(`+${country}${rest}`, 'phone');
        } catch (error) {
          expect(error).to.be.instanceOf(Refusal);
          return;
        }
        accepted += 1;
        expect(parsePhone(phone.e164, 'phone')).to.deep.equal(phone);
        expect(phone.key).to.equal(phoneKey(phone.e164));
      }),
    );
    expect(accepted).to.be.greaterThan(10);
  });

  it('refuses or accepts, and never fails otherwise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((s) => `+${s}`),
        ),
        (text) => {
          try {
            expect(parsePhone(text, 'phone').e164).to.match(/^\+\d+$/);
          } catch (error) {
            expect(error).to.be.instanceOf(Refusal);
          }
        },
      ),
    );
  });

  it('a number behind two trunk prefixes is none: it would read back differently', () => {
    for (const text of ['+5500119876543', '+49 00 301 234567']) {
      expect(() => parsePhone(text, 'to'), text).to.throw(Refusal);
    }
  });
});
