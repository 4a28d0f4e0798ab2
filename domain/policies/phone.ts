/**
 * Phones are stored as given and compared by key. The key folds Brazil's ninth digit: WhatsApp accounts made before the
 * digit was introduced keep their old number, so one person appears under two spellings.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { Refusal } from '../kernel/refusal.js';

export interface Phone {
  /** `+` and digits. */
  readonly e164: string;
  /** Equal for all spellings of the same line. */
  readonly key: string;
}

/** Area codes in use (ANATEL). A `55…` number with another code is not a Brazilian geographic or mobile number. */
const AREA_CODE = /^(?:[14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[13-579])$/;

/**
 * Forms that are accepted without the library's tables. Brazil is the home market; skipping the tables saves most of a
 * send's validation time. Mexico's old mobile form with a 1 is missing from the tables, but WhatsApp ids still have it.
 */
const COMMON = /^\+(?:55\d{2}(?:9[6-9]\d{7}|[2-9]\d{7})|521\d{10})$/;

/** Total and pure: digits in, digits out. Changes only Brazilian mobile numbers of the old form. */
export function phoneKey(e164: string): string {
  const digits = e164.replace(/\D/g, '');
  if (digits.length === 12 && digits.startsWith('55') && AREA_CODE.test(digits.slice(2, 4))) {
    const local = digits.slice(4);
    if (/^[6-9]/.test(local)) return `55${digits.slice(2, 4)}9${local}`;
  }
  return digits;
}

/**
 * A phone as a caller wrote it: international form with a leading `+`; spaces, dots, dashes and parentheses are
 * allowed.
 * @throws Refusal `validation_failed`, with the field and what is wrong with it
 */
export function parsePhone(text: string, path: string): Phone {
  const plain = text.replace(/[\s().-]/g, '');
  if (COMMON.test(plain) && (!plain.startsWith('+55') || AREA_CODE.test(plain.slice(3, 5)))) {
    return { e164: plain, key: phoneKey(plain) };
  }
  const parsed = /^\+[\d\s().-]{6,31}$/.test(text)
    ? parsePhoneNumberFromString(text, { extract: false })
    : undefined;
  // The library drops one trunk prefix (0). A number that still starts with one would read back differently, and is
  // refused.
  const stable = parsed && parsePhoneNumberFromString(parsed.number)?.number === parsed.number;
  if (!parsed?.isPossible() || !stable) {
    throw new Refusal(
      'validation_failed',
      `${path} is not a phone number in international format, such as +5511987654321.`,
      {
        fields: [
          {
            path,
            code: 'phone_invalid',
            message: text.startsWith('+')
              ? 'This is not a possible phone number: check the country code and the number of digits.'
              : 'Start with + and the country code, such as +5511987654321.',
          },
        ],
      },
    );
  }
  return { e164: parsed.number, key: phoneKey(parsed.number) };
}
