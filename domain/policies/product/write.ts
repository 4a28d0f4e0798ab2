/**
 * Reads a whole product as callers write it (spec §2, §4). Every wrong field is reported; unknown fields are accepted
 * with a warning. Rules across fields are checked by the product itself (domain/product).
 */
import { isObject } from '../../kernel/json.js';
import { Refusal } from '../../kernel/refusal.js';
import type { ProductDetails } from '../../product/events.js';
import type { WantedVariant } from '../../product/variants.js';
import { FaultyItem } from '../faulty-item.js';
import { fieldAt, fieldAtPath, type FieldAt } from '../field-at.js';
import * as fields from './fields.js';
import { orNull, WrongValue, type Read, type Wrong } from './fields.js';

/** Something in the input was ignored or adjusted. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

export interface VariantWrite extends Omit<WantedVariant, 'newUuid' | 'image'> {
  readonly imageUrl?: string | null;
}

/** Fields that are left out were not sent. */
export interface ProductWrite {
  readonly details: Partial<ProductDetails>;
  readonly stock?: number | null;
  readonly imageUrls?: readonly string[];
  readonly variants?: readonly VariantWrite[];
}

export const WRITE_LIMITS = { images: 10, variants: 100, stock: 1_000_000, warnings: 100 } as const;

const DETAILS: Readonly<Record<string, readonly [keyof ProductDetails, Read<unknown>]>> = {
  name: ['name', fields.text({ min: 1, max: 200 })],
  price: ['price_cents', fields.price],
  description: ['description', fields.description],
  promo_price: ['promo_price_cents', orNull(fields.promoPrice)],
  promo_starts_at: ['promo_starts_at', orNull(fields.instant)],
  promo_ends_at: ['promo_ends_at', orNull(fields.instant)],
  import_handle: ['import_handle', orNull(fields.text({ min: 1, max: 128 }))],
  sku: ['sku', fields.optionalText({ max: 64 })],
  gtin: ['gtin', fields.gtin],
  ncm: ['ncm', fields.ncm],
  unit: ['unit', fields.optionalText({ max: 6 })],
  brand: ['brand', fields.optionalText({ max: 100 })],
  category_uuid: ['category_uuid', orNull(fields.uuid)],
  weight_grams: ['weight_grams', orNull(fields.whole(1_000_000))],
  width_mm: ['width_mm', orNull(fields.whole(100_000))],
  height_mm: ['height_mm', orNull(fields.whole(100_000))],
  length_mm: ['length_mm', orNull(fields.whole(100_000))],
  active: ['active', fields.flag],
};

const stock = orNull(fields.whole(WRITE_LIMITS.stock));

const VARIANT: Readonly<Record<string, readonly [keyof VariantWrite, Read<unknown>]>> = {
  uuid: ['uuid', orNull(fields.uuid)],
  options: ['options', fields.options],
  sku: ['sku', fields.optionalText({ max: 64 })],
  gtin: ['gtin', fields.gtin],
  price: ['price_cents', orNull(fields.price)],
  promo_price: ['promo_price_cents', orNull(fields.promoPrice)],
  stock: ['stock', stock],
  image_url: ['imageUrl', orNull(fields.imageUrl)],
  active: ['active', fields.flag],
};

/**
 * @throws Refusal with the code of the first wrong field (`validation_failed`, `price_invalid`, `promo_price_invalid`,
 * `gtin_invalid`, `ncm_invalid`), its `details.field`, `details.pointer` and `details.rule`; `details.fields` names all
 */
export function readProductWrite(body: unknown): {
  readonly write: ProductWrite;
  readonly warnings: readonly Warning[];
} {
  const notes = new Notes();
  if (body instanceof FaultyItem) {
    const { path, rule, message } = body;
    notes.wrong(fieldAtPath(path), { code: 'validation_failed', rule, message });
    throw notes.refusal();
  }
  if (!isObject(body)) {
    notes.wrong(fieldAt(), {
      code: 'validation_failed',
      rule: 'type',
      message: 'A product must be an object.',
    });
    throw notes.refusal();
  }
  const details: Record<string, unknown> = {};
  const write: { stock?: number | null; imageUrls?: readonly string[]; variants?: readonly VariantWrite[] } =
    {};
  for (const [field, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const known = Object.hasOwn(DETAILS, field) ? DETAILS[field] : undefined;
    if (known) {
      const [to, read] = known;
      const one = notes.read(read, value, field);
      if (one) details[to] = one.value;
    } else if (field === 'stock') {
      const one = notes.read(stock, value, field);
      if (one) write.stock = one.value;
    } else if (field === 'image_urls') {
      const urls = notes.list(WRITE_LIMITS.images, fields.imageUrl, value, field);
      if (urls) write.imageUrls = urls;
    } else if (field === 'variants') {
      const variants = notes.read(fields.listOf(WRITE_LIMITS.variants), value, field);
      if (variants) write.variants = variants.value.map((one, index) => readVariant(one, index, notes));
    } else {
      notes.unknown(fieldAt(field));
    }
  }
  if (notes.any) throw notes.refusal();
  return { write: { ...write, details }, warnings: notes.warnings };
}

/**
 * Checks the fields that a new product must have; the others have defaults.
 * @throws Refusal validation_failed, price_invalid
 */
export function requireForCreation({ details }: ProductWrite): void {
  const notes = new Notes();
  if (details.name === undefined) {
    const message = 'is required.';
    notes.wrong(fieldAt('name'), { code: 'validation_failed', rule: 'required', message });
  }
  if (details.price_cents === undefined) notes.read(fields.price, undefined, 'price');
  if (notes.any) throw notes.refusal();
}

function readVariant(value: unknown, index: number, notes: Notes): VariantWrite {
  const variant: Partial<Record<keyof VariantWrite, unknown>> = { uuid: null };
  const at = ['variants', index] as const;
  if (!isObject(value)) {
    notes.wrong(fieldAt(...at), { code: 'validation_failed', rule: 'type', message: 'must be an object.' });
    return { uuid: null, options: {} };
  }
  for (const [field, given] of Object.entries(value)) {
    if (given === undefined) continue;
    const known = Object.hasOwn(VARIANT, field) ? VARIANT[field] : undefined;
    if (!known) {
      notes.unknown(fieldAt(...at, field));
      continue;
    }
    const [to, read] = known;
    const one = notes.read(read, given, ...at, field);
    if (one) variant[to] = one.value;
  }
  if (!('options' in value)) {
    const message = 'is required.';
    notes.wrong(fieldAt(...at, 'options'), { code: 'validation_failed', rule: 'required', message });
  }
  return variant as VariantWrite;
}

/** A longer list would not help the caller. */
const MAX_FAULTS = 50;
const MAX_FIELD = 512;

/** Collects faults and warnings while a body is read. */
class Notes {
  readonly warnings: Warning[] = [];
  readonly #faults: (FieldAt & Wrong)[] = [];

  get any(): boolean {
    return this.#faults.length > 0;
  }

  wrong(at: FieldAt, wrong: Wrong): void {
    this.#faults.push({ ...at, ...wrong });
  }

  unknown({ field }: FieldAt): void {
    if (this.warnings.length >= WRITE_LIMITS.warnings) return;
    const name = field.slice(0, MAX_FIELD);
    const message = `${name} is no field of a product that can be written; it was ignored.`;
    this.warnings.push({ code: 'unknown_field', message, field: name });
  }

  read<T>(read: Read<T>, value: unknown, ...at: readonly (string | number)[]): { readonly value: T } | null {
    try {
      return { value: read(value) };
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      this.wrong(fieldAt(...at), error.wrong);
      return null;
    }
  }

  list<T>(max: number, read: Read<T>, value: unknown, field: string): readonly T[] | null {
    const values = this.read(fields.listOf(max), value, field);
    if (!values) return null;
    return values.value.flatMap((one, index) => {
      const kept = this.read(read, one, field, index);
      return kept ? [kept.value] : [];
    });
  }

  refusal(): Refusal {
    const [first] = this.#faults as [FieldAt & Wrong];
    const { code, rule, message, more, field, pointer } = first;
    return new Refusal(code, `The product is not valid: ${field} ${message}`.replace('  ', ' '), {
      field,
      pointer,
      rule,
      ...more,
      fields: this.#faults.slice(0, MAX_FAULTS).map((fault) => ({
        path: fault.field.slice(0, MAX_FIELD),
        code: fault.rule,
        message: fault.message,
      })),
    });
  }
}
