/** Decides about a product: writes, stock taken by orders, deletion. */
import type { Aggregate } from '../kernel/decider.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { canonicalJson } from '../policies/canonical-json.js';
import { productStream } from '../streams.js';
import { detailFields, productEvents, type ProductDetails, type ProductEvent } from './events.js';
import { checkPromotions } from './pricing.js';
import { renamedSlug } from './slug.js';
import {
  evolveProduct,
  initialProduct,
  type Product,
  type ProductImage,
  type ProductVariant,
  type VariantDetails,
} from './state.js';
import { returnStock, takeStock, type StockLine } from './stock.js';
import { matchVariants, type WantedVariant } from './variants.js';

export type StockSource = 'api' | 'batch' | 'import' | 'admin';
export type ReturnReason = 'cancelled' | 'not_placed';

export type ProductCommand =
  | {
      readonly type: 'CreateProduct';
      readonly companyUuid: CompanyUuid;
      readonly storeUuid: string;
      readonly slug: string;
      readonly details: ProductDetails;
      readonly stock: number | null;
      readonly variants: readonly WantedVariant[];
      readonly images: readonly ProductImage[];
    }
  /** Fields that are left out stay; a list of variants or pictures replaces the current list. */
  | {
      readonly type: 'ChangeProduct';
      readonly details: Partial<ProductDetails>;
      readonly stock?: number | null;
      readonly variants?: readonly WantedVariant[];
      readonly images?: readonly ProductImage[];
      readonly source: StockSource;
    }
  /** Takes all lines or none; a repeated command of the same order takes once. */
  | { readonly type: 'TakeStock'; readonly orderUuid: string; readonly lines: readonly StockLine[] }
  /** Returns the units that the order took, once. `not_placed`: also prevents the order from taking stock later. */
  | { readonly type: 'ReturnStock'; readonly orderUuid: string; readonly reason: ReturnReason }
  | { readonly type: 'DeleteProduct' }
  /** A product that was never created never will be: its reserved place in the store is free for another. */
  | { readonly type: 'AbandonProduct' };

/**
 * @throws Refusal not_found; promo_price_invalid, variant_duplicated, variant_options_mismatch; product_deleted for
 * creating a product that existed before; product_unavailable, insufficient_stock, order_not_placed for taking stock
 */
export function decideProduct(command: ProductCommand, state: Product): readonly ProductEvent[] {
  switch (command.type) {
    case 'CreateProduct':
      return create(command, state);
    case 'ChangeProduct':
      if (!state.exists || state.deleted) {
        throw new Refusal('not_found', 'There is no such product.', { resource: 'product' });
      }
      return change(command, state);
    case 'TakeStock':
      return takeStock(command.orderUuid, command.lines, state);
    case 'ReturnStock':
      return returnStock(command.orderUuid, command.reason, state);
    case 'DeleteProduct':
      return state.exists && !state.deleted ? [{ type: 'ProductDeleted', data: {} }] : [];
    case 'AbandonProduct':
      return state.exists || state.deleted ? [] : [{ type: 'ProductDeleted', data: {} }];
    default:
      return command satisfies never;
  }
}

type CommandOf<T extends ProductCommand['type']> = Extract<ProductCommand, { readonly type: T }>;

function create(command: CommandOf<'CreateProduct'>, state: Product): readonly ProductEvent[] {
  if (state.deleted) throw new Refusal('product_deleted', 'This product was deleted.');
  if (state.exists) return [];
  const variants = matchVariants([], command.variants);
  checkPromotions(command.details, variants);
  return [
    {
      type: 'ProductCreated',
      data: {
        company_uuid: command.companyUuid,
        store_uuid: command.storeUuid,
        slug: command.slug,
        ...command.details,
        stock: command.stock,
        variants: variants.map(withoutStock),
        images: [...command.images],
      },
    },
  ];
}

/** Records only the fields that differ: a sync of unchanged products writes nothing. */
function change(command: CommandOf<'ChangeProduct'>, state: Product): readonly ProductEvent[] {
  const details = { ...state.details, ...command.details };
  const variants = command.variants ? matchVariants(state.variants, command.variants) : state.variants;
  checkPromotions(details, variants);
  const events: ProductEvent[] = [];
  const changed = detailFields.filter((field) => details[field] !== state.details[field]);
  if (changed.length > 0) {
    const data: Partial<ProductDetails> = Object.fromEntries(changed.map((field) => [field, details[field]]));
    const renamed = changed.includes('name') ? renamedSlug(state.slug, details.name) : state.slug;
    const slug = renamed === state.slug ? {} : { slug: renamed };
    events.push({ type: 'ProductChanged', data: { changed: { ...slug, ...data } } });
  }
  if (!same(variants.map(withoutStock), state.variants.map(withoutStock))) {
    events.push({ type: 'ProductVariantsReplaced', data: { variants: variants.map(withoutStock) } });
  }
  if (command.images && !same(command.images.map(shown), state.images.map(shown))) {
    events.push({ type: 'ProductImagesReplaced', data: { images: [...command.images] } });
  }
  return [...events, ...stockSets(command, state, variants)];
}

/** The stock of new variants is part of the list of variants itself. */
function stockSets(
  { stock, source }: CommandOf<'ChangeProduct'>,
  state: Product,
  variants: readonly ProductVariant[],
): readonly ProductEvent[] {
  const set = (
    variant: string | null,
    value: number | null,
    prior: number | null,
  ): readonly ProductEvent[] =>
    value === prior ? [] : [{ type: 'StockSet', data: { variant_uuid: variant, value, prior, source } }];
  return [
    ...(stock === undefined ? [] : set(null, stock, state.stock)),
    ...variants.flatMap((variant) => {
      const before = state.variants.find(({ uuid }) => uuid === variant.uuid);
      return before ? set(variant.uuid, variant.stock, before.stock) : [];
    }),
  ];
}

const withoutStock = ({ stock: _stock, ...variant }: ProductVariant): VariantDetails => variant;

/** A changed ETag or date of the same picture is not a change of the product. */
const shown = ({ uuid, hash, source_url }: ProductImage) => ({ uuid, hash, source_url });

const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

export const productAggregate: Aggregate<Product, ProductCommand, ProductEvent> = {
  stream: productStream,
  events: productEvents,
  initial: initialProduct,
  decide: decideProduct,
  evolve: evolveProduct,
  commutes: true,
};
