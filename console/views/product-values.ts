/** What the form of a product holds, what of it is sent, and what the API refuses of that. */
import type { ApiError } from '../api.js';
import { moneyOf, moneyText } from '../field.js';
import type { Photo } from '../product-photos.js';
import type { Product } from '../shapes.js';
import { unitsOf } from './product-inline.js';
import { variantsToWrite, type VariantRow } from './variants.js';

export type Values = Record<
  'name' | 'price' | 'promo_price' | 'promo_ends_at' | 'description' | 'sku' | 'gtin' | 'stock' | 'category',
  string
>;

export const valuesOf = (product: Product | null): Values => ({
  name: product?.name ?? '',
  price: moneyText(product?.price),
  promo_price: moneyText(product?.promo_price),
  promo_ends_at: localTime(product?.promo_ends_at ?? null),
  description: product?.description ?? '',
  sku: product?.sku ?? '',
  gtin: product?.gtin ?? '',
  stock: product?.stock === null || product === null ? '' : String(product.stock),
  category: product?.category_uuid ?? '',
});

/** For an input of the type `datetime-local`. */
function localTime(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const orNull = (text: string): string | null => text.trim() || null;

/** Only what differs is sent, so that what this form does not show stays as it is. */
export function changed(before: object, after: object): object {
  const was = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(was[name]) !== JSON.stringify(value)),
  );
}

export function writeOf(
  values: Values,
  photos: readonly Photo[],
  active: boolean,
  rows: readonly VariantRow[],
  axes: readonly string[],
) {
  return {
    name: values.name.trim(),
    price: moneyOf(values.price),
    promo_price: values.promo_price.trim() === '' ? null : moneyOf(values.promo_price),
    promo_ends_at: values.promo_ends_at === '' ? null : new Date(values.promo_ends_at).toISOString(),
    description: orNull(values.description),
    sku: orNull(values.sku),
    gtin: orNull(values.gtin),
    category_uuid: orNull(values.category),
    image_urls: photos.map(({ url }) => url),
    active,
    ...(rows.length > 0
      ? { variants: variantsToWrite(rows, axes, photos) }
      : { stock: unitsOf(values.stock.trim()) }),
  };
}

/** The API names the field of a refused product. */
export function fieldError(error: ApiError | null, field: string): string | undefined {
  if (error === null) return undefined;
  return error.details['field'] === field
    ? error.message
    : error.fields.find(({ path }) => path === field)?.message;
}

/** The place of the photo that the API refused. */
export function badPhoto(error: ApiError | null): number | null {
  const field = error?.details['field'];
  const [, index] = /^image_urls\[(\d+)\]$/.exec(typeof field === 'string' ? field : '') ?? [];
  return index === undefined ? null : Number(index);
}
