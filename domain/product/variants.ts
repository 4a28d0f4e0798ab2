/** Matches a wanted list of variants with the current variants. */
import { Refusal } from '../kernel/refusal.js';
import { fieldAt } from '../policies/field-at.js';
import { foldText } from '../policies/fold-text.js';
import type { ProductVariant, VariantDetails } from './state.js';

type Optional = 'sku' | 'gtin' | 'price_cents' | 'promo_price_cents' | 'image' | 'active';

/** Fields that are left out keep the value of the matched variant. */
export interface WantedVariant extends Partial<Pick<VariantDetails, Optional>> {
  /** The wanted variant's uuid. When null or unknown to the product, the match is by SKU, then by options. */
  readonly uuid: string | null;
  /** The uuid of a new variant, where none matches. */
  readonly newUuid: string;
  readonly options: Readonly<Record<string, string>>;
  /** Units; null: not tracked. Left out: unchanged. */
  readonly stock?: number | null;
}

const MAX_AXES = 3;

/**
 * The new list, in the wanted order. A matched variant keeps its uuid, and its stock unless units are given.
 *
 * @throws Refusal variant_options_mismatch, variant_duplicated (spec §7)
 */
export function matchVariants(
  current: readonly ProductVariant[],
  wanted: readonly WantedVariant[],
): readonly ProductVariant[] {
  checkAxes(wanted);
  checkRepeated('uuid', wanted, ({ uuid }) => uuid);
  const matches = matchesOf(current, wanted);
  const axes = Object.keys(wanted[0]?.options ?? {});
  const variants = wanted.map((one, index) => {
    const match = matches.get(index);
    const stock = one.stock !== undefined ? one.stock : (match?.stock ?? null);
    return {
      uuid: match?.uuid ?? one.newUuid,
      options: Object.fromEntries(axes.map((axis) => [axis, one.options[axis] ?? ''])),
      sku: given(one.sku, match?.sku ?? null),
      gtin: given(one.gtin, match?.gtin ?? null),
      price_cents: given(one.price_cents, match?.price_cents ?? null),
      promo_price_cents: given(one.promo_price_cents, match?.promo_price_cents ?? null),
      image: given(one.image, match?.image ?? null),
      active: given(one.active, match?.active ?? true),
      initial_stock: match ? match.initial_stock : stock,
      stock,
    };
  });
  checkRepeated('options', variants, ({ options }) => optionsKey(options));
  checkRepeated('sku', variants, ({ sku }) => sku);
  return variants;
}

/** Matches by index of the wanted variant. Matches by uuid come first, so that a SKU may move to another variant. */
function matchesOf(
  current: readonly ProductVariant[],
  wanted: readonly WantedVariant[],
): ReadonlyMap<number, ProductVariant> {
  const matches = new Map<number, ProductVariant>();
  const free = new Set(current);
  const rules: readonly ((one: WantedVariant, variant: ProductVariant) => boolean)[] = [
    (one, { uuid }) => one.uuid === uuid,
    (one, { sku }) => sku !== null && one.sku === sku,
    (one, { options }) => optionsKey(one.options) === optionsKey(options),
  ];
  for (const fits of rules) {
    wanted.forEach((one, index) => {
      if (matches.has(index)) return;
      for (const variant of free) {
        if (!fits(one, variant)) continue;
        matches.set(index, variant);
        free.delete(variant);
        return;
      }
    });
  }
  return matches;
}

const given = <T>(value: T | undefined, otherwise: T): T => (value === undefined ? otherwise : value);

function checkAxes(wanted: readonly WantedVariant[]): void {
  const [first] = wanted;
  if (!first) return;
  const expected = Object.keys(first.options);
  const count = expected.length >= 1 && expected.length <= MAX_AXES;
  const odd = wanted.flatMap(({ options }, index) => {
    const axes = Object.keys(options);
    const same = axes.length === expected.length && expected.every((axis) => Object.hasOwn(options, axis));
    return count && same && areApart(axes) ? [] : [index];
  });
  const [oddest] = odd;
  if (oddest === undefined) return;
  const message =
    'All variants must have the same 1 to 3 options, whose names differ in more than case and accents.';
  throw new Refusal('variant_options_mismatch', message, {
    ...fieldAt('variants', oddest, 'options'),
    indexes: odd,
    expected_axes: expected,
  });
}

/** Whether the axes are distinct: `Cor` and `COR` are one option to a customer. */
const areApart = (axes: readonly string[]): boolean =>
  new Set(axes.map((axis) => foldText(axis).trim())).size === axes.length;

/** Independent of the order of the axes; case and accents make no difference to a customer. */
const optionsKey = (options: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(options)
      .map(([axis, value]) => [foldText(axis).trim(), foldText(value).trim()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function checkRepeated<V extends Pick<VariantDetails, 'options'>>(
  by: 'uuid' | 'options' | 'sku',
  variants: readonly V[],
  keyOf: (variant: V) => string | null,
): void {
  const first = new Map<string, number>();
  variants.forEach((variant, index) => {
    const key = keyOf(variant);
    if (key === null) return;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, index);
      return;
    }
    throw new Refusal('variant_duplicated', `Two variants have the same ${by}.`, {
      ...fieldAt('variants', index, by),
      by,
      indexes: [before, index],
      value: by === 'options' ? variantName(variant) : key,
    });
  });
}

/** `P / Azul` */
export const variantName = ({ options }: Pick<VariantDetails, 'options'>): string =>
  Object.values(options).join(' / ');
