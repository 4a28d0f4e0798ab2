import type { Static } from '@sinclair/typebox';
import type { CompanyUuid } from '../kernel/ids.js';
import type { ProductDetails, ProductEvent, ProductImage, variantSchema } from './events.js';

export type { ProductImage } from './events.js';
/** As in the events: without the current stock. */
export type VariantDetails = Readonly<Static<typeof variantSchema>>;

export interface ProductVariant extends VariantDetails {
  /** Units left; null: not tracked. */
  readonly stock: number | null;
}

export interface TakenLine {
  /** Null: the product itself. */
  readonly variant_uuid: string | null;
  readonly quantity: number;
  readonly taken: number;
}

/**
 * The stock movements of orders, newest first. A linked list that grows at its head: a shop's best seller has
 * thousands.
 */
export interface OrderStock {
  readonly orderUuid: string;
  readonly lines: readonly TakenLine[];
  readonly returned: boolean;
  /** Units that are in stock again: fewer than were taken where variants were removed, or stock is tracked no more. */
  readonly unitsBack: number;
  readonly before: OrderStock | null;
}

export interface Product {
  readonly exists: boolean;
  /** For good. Also true for a product that was never created and never will be. */
  readonly deleted: boolean;
  readonly companyUuid: CompanyUuid;
  readonly storeUuid: string;
  readonly slug: string;
  /** In the field names of the events, like the variants and pictures. */
  readonly details: ProductDetails;
  /** Import handles that the product had before. */
  readonly formerHandles: readonly string[];
  /** Units left of a product without variants; null: not tracked. */
  readonly stock: number | null;
  readonly variants: readonly ProductVariant[];
  readonly images: readonly ProductImage[];
  readonly orders: OrderStock | null;
}

const NO_DETAILS: ProductDetails = {
  name: '',
  description: null,
  price_cents: 0,
  promo_price_cents: null,
  promo_starts_at: null,
  promo_ends_at: null,
  import_handle: null,
  sku: null,
  gtin: null,
  ncm: null,
  unit: null,
  brand: null,
  category_uuid: null,
  weight_grams: null,
  width_mm: null,
  height_mm: null,
  length_mm: null,
  active: true,
};

export const initialProduct: Product = {
  exists: false,
  deleted: false,
  companyUuid: '',
  storeUuid: '',
  slug: '',
  details: NO_DETAILS,
  formerHandles: [],
  stock: null,
  variants: [],
  images: [],
  orders: null,
};

export function evolveProduct(state: Product, event: ProductEvent): Product {
  switch (event.type) {
    case 'ProductCreated': {
      const { company_uuid, store_uuid, slug, stock, variants, images, ...details } = event.data;
      return {
        ...initialProduct,
        exists: true,
        companyUuid: company_uuid,
        storeUuid: store_uuid,
        slug,
        details,
        stock,
        variants: list(variants).map((variant) => ({ ...variant, stock: variant.initial_stock })),
        images: list(images),
      };
    }
    case 'ProductChanged': {
      const { slug, ...changed } = event.data.changed ?? {};
      const handle = state.details.import_handle;
      const gaveUp =
        handle !== null && changed.import_handle !== undefined && changed.import_handle !== handle;
      return {
        ...state,
        slug: slug ?? state.slug,
        details: { ...state.details, ...changed },
        formerHandles: gaveUp ? [...state.formerHandles, handle] : state.formerHandles,
      };
    }
    case 'ProductVariantsReplaced':
      return {
        ...state,
        variants: list(event.data.variants).map((variant) => ({
          ...variant,
          stock: (variantOf(state, variant.uuid) ?? { stock: variant.initial_stock }).stock,
        })),
      };
    case 'ProductImagesReplaced':
      return { ...state, images: list(event.data.images) };
    case 'StockSet': {
      const { variant_uuid: variant, value } = event.data;
      return withStock(state, variant, () => value);
    }
    case 'StockTaken': {
      const lines = list(event.data.lines);
      const left = lines.reduce(
        (before, { variant_uuid, taken }) => withStock(before, variant_uuid, shift(-taken)),
        state,
      );
      return {
        ...left,
        orders: { ...orderOf(event), lines, returned: false, unitsBack: 0, before: state.orders },
      };
    }
    case 'StockReturned': {
      const more = list(event.data.lines).reduce(
        (before, { variant_uuid, returned }) => withStock(before, variant_uuid, shift(returned)),
        state,
      );
      const lines = stockOfOrder(state, event.data.order_uuid)?.lines ?? [];
      const unitsBack = list(event.data.lines).reduce((sum, { returned }) => sum + returned, 0);
      return {
        ...more,
        orders: { ...orderOf(event), lines, returned: true, unitsBack, before: state.orders },
      };
    }
    case 'ProductDeleted':
      return { ...state, deleted: true };
    default:
      return state;
  }
}

export const variantOf = (state: Pick<Product, 'variants'>, uuid: string): ProductVariant | undefined =>
  state.variants.find((variant) => variant.uuid === uuid);

/** The last stock movement of an order; undefined where it never took stock. */
export function stockOfOrder(state: Pick<Product, 'orders'>, orderUuid: string): OrderStock | undefined {
  for (let entry = state.orders; entry !== null; entry = entry.before) {
    if (entry.orderUuid === orderUuid) return entry;
  }
  return undefined;
}

const orderOf = (event: { readonly data: { readonly order_uuid: string } }) => ({
  orderUuid: event.data.order_uuid,
});

/** Stored events may hold anything; only objects are kept in the lists. */
const list = <T extends object>(values: readonly T[]): readonly T[] =>
  Array.isArray(values)
    ? (values as readonly unknown[]).filter(
        (value): value is T => typeof value === 'object' && value !== null,
      )
    : [];

const shift =
  (units: number) =>
  (stock: number | null): number | null =>
    stock === null ? null : stock + units;

function withStock(
  state: Product,
  variant: string | null,
  next: (stock: number | null) => number | null,
): Product {
  if (variant === null) return { ...state, stock: next(state.stock) };
  return {
    ...state,
    variants: state.variants.map((own) => (own.uuid === variant ? { ...own, stock: next(own.stock) } : own)),
  };
}
