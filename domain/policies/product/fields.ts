/**
 * Readers for single product fields as callers write them. Each returns the value as it is stored, or throws a
 * WrongValue.
 */
import type { RefusalCode } from '../../kernel/refusal.js';
import { isUuid } from '../../kernel/ids.js';
import { parseInstant } from '../../kernel/instant.js';
import { isObject } from '../../kernel/json.js';
import { MAX_CENTS, readMoney, showMoney } from '../money.js';
import { plainText } from '../plain-text.js';
import { longerThan } from '../text-length.js';
import { gtinFault, ncmFault, withoutDots } from './codes.js';

export interface Wrong {
  /** Code of the refusal: `validation_failed` or one specific to products. */
  readonly code: RefusalCode;
  /** The rule that was broken. */
  readonly rule: string;
  /** Continues after the name of the field: `must be …`. */
  readonly message: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

export class WrongValue extends Error {
  override readonly name = 'WrongValue';
  constructor(readonly wrong: Wrong) {
    super(wrong.message);
  }
}

/** @throws WrongValue */
export type Read<T> = (value: unknown) => T;

const invalid = (rule: string, message: string): WrongValue =>
  new WrongValue({ code: 'validation_failed', rule, message });

export const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === null ? null : read(value);

/** A text, trimmed. */
export const text =
  (bounds: { readonly min?: number; readonly max: number }): Read<string> =>
  (value) => {
    if (typeof value !== 'string') throw invalid('type', 'must be text.');
    const trimmed = value.trim();
    if (trimmed === '' && (bounds.min ?? 0) > 0) throw invalid('min_length', 'must not be empty.');
    if (longerThan(trimmed, bounds.max))
      throw invalid('max_length', `must have at most ${bounds.max} characters.`);
    return trimmed;
  };

/** An optional text: systems without null send an empty text instead. */
export const optionalText = (bounds: { readonly max: number }): Read<string | null> => {
  const read = text(bounds);
  return (value) => (value === null ? null : read(value) || null);
};

/** Room for a text of 5,000 characters with a word processor's markup; a limit, because removing markup takes time. */
const MAX_MARKUP = 262_144;

/** Plain text: markup is removed, and only the remaining text is counted. */
export const description: Read<string | null> = (value) => {
  const bounds = { max: 5_000 };
  if (typeof value === 'string' && value.length > MAX_MARKUP) {
    throw invalid('max_length', `must have at most ${MAX_MARKUP} characters with its markup.`);
  }
  return optionalText(bounds)(typeof value === 'string' ? plainText(value) : value);
};

export const flag: Read<boolean> = (value) => {
  if (typeof value !== 'boolean') throw invalid('type', 'must be true or false.');
  return value;
};

export const whole =
  (max: number): Read<number> =>
  (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      throw invalid('type', 'must be a whole number.');
    }
    if (value < 0) throw invalid('minimum', 'must be at least 0.');
    if (value > max) throw invalid('maximum', `must be at most ${max}.`);
    return value;
  };

export const uuid: Read<string> = (value) => {
  if (typeof value !== 'string' || !isUuid(value)) throw invalid('format', 'must be a uuid.');
  return value.toLowerCase();
};

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Returned in UTC with milliseconds; the input may have any offset. */
export const instant: Read<string> = (value) => {
  const time = typeof value === 'string' && DATE_TIME.test(value) ? parseInstant(value) : NaN;
  if (Number.isNaN(time)) throw invalid('format', 'must be a date-time such as 2026-11-30T23:59:59-03:00.');
  return new Date(time).toISOString();
};

/** In cents. */
export const price: Read<number> = (value) => {
  const cents = readMoney(value);
  if (cents !== null) return cents;
  const max = showMoney(MAX_CENTS);
  throw new WrongValue({
    code: 'price_invalid',
    rule: moneyRule(value),
    message: `must be an amount from 0 to ${max} with at most 2 decimals and a dot, such as "49.90".`,
    more: { max },
  });
};

/** In cents. A negative amount is reported as an invalid promotion, not as an invalid amount. */
export const promoPrice: Read<number> = (value) => {
  if (moneyRule(value) !== 'minimum') return price(value);
  throw new WrongValue({
    code: 'promo_price_invalid',
    rule: 'must_be_lower_than_price',
    message: 'must be above zero and below the price.',
  });
};

/** Longest text that is read as an amount. */
const MAX_AMOUNT = 100;

function moneyRule(value: unknown): string {
  if (typeof value === 'string' && value.length > MAX_AMOUNT) return 'format';
  const written = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (/^-\d+(?:\.\d+)?$/.test(written)) return 'minimum';
  if (/^\d+\.\d{3,}$/.test(written)) return 'decimals';
  if (/^\d{8,}(?:\.\d{1,2})?$/.test(written)) return 'maximum';
  return value === null || value === undefined ? 'required' : 'format';
}

const code =
  (
    name: 'gtin' | 'ncm',
    faultOf: (digits: string) => string | null,
    message: string,
    clean: (text: string) => string = (raw) => raw,
  ): Read<string | null> =>
  (value) => {
    const given = optionalText({ max: 32 })(value);
    if (given === null) return null;
    const digits = clean(given);
    const rule = faultOf(digits);
    if (rule !== null) throw new WrongValue({ code: `${name}_invalid`, rule, message });
    return digits;
  };

export const gtin = code('gtin', gtinFault, 'must have 8, 12, 13 or 14 digits and a correct check digit.');
export const ncm = code('ncm', ncmFault, 'must have 8 digits.', withoutDots);

export const imageUrl = text({ min: 1, max: 2_000 });

const axis = text({ min: 1, max: 100 });

/** Axis → value. The product checks the number of axes. */
export const options: Read<Readonly<Record<string, string>>> = (value) => {
  if (!isObject(value)) throw invalid('type', 'must be an object of texts.');
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [axis(name), axis(one)]));
};

export const listOf =
  (max: number): Read<readonly unknown[]> =>
  (value) => {
    if (!Array.isArray(value)) throw invalid('type', 'must be a list.');
    if (value.length > max) throw invalid('max_items', `must have at most ${max} items.`);
    return value as readonly unknown[];
  };
