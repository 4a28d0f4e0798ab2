/** StoreProduct of the contract (spec §2, §4), from a `products` document. */
import { addressOfSource } from '../../domain/product/events.js';
import { promoPrice, sellingPrice } from '../../domain/product/pricing.js';
import type { ProductVariant } from '../../domain/product/state.js';
import { variantName } from '../../domain/product/variants.js';
import { showMoney } from '../../domain/policies/money.js';
import type { ProductDoc } from '../../read-models/products.js';
import { imageUrl } from '../store/image-address.js';
import { storeUrl } from './store.js';

/** The fields of a `products` document used here. */
export type ProductSource = Omit<ProductDoc, 'slug_key' | 'state' | 'promotion' | 'words'>;

export interface ProductView {
  /** Milliseconds since the epoch; decides which promotions apply. */
  readonly now: number;
  /** Public base URL of the deployment, without a trailing slash. */
  readonly baseUrl: string;
  /** Null while the store has no public page. */
  readonly storeSlug: string | null;
  /** By uuid. A product whose category was removed is shown without one. */
  readonly categories: ReadonlyMap<string, { readonly uuid: string; readonly name: string }>;
}

export function storeProduct(doc: ProductSource, view: ProductView) {
  const { now, baseUrl, storeSlug } = view;
  const category = doc.category_uuid === null ? undefined : view.categories.get(doc.category_uuid);
  const own = sellingPrice(doc, null, now);
  const promo = promoPrice(doc, null);
  const units = doc.variants.filter(({ active }) => active);
  const prices = (units.length > 0 ? units : [null]).map((unit) => sellingPrice(doc, unit, now).unitCents);
  const images = doc.images.map((image, position) => ({
    uuid: image.uuid,
    url: imageUrl(baseUrl, image.hash, image.content_type),
    source_url: addressOfSource(image),
    width: image.width,
    height: image.height,
    position,
  }));
  const hasVariants = doc.variants.length > 0;
  return {
    uuid: doc.uuid,
    slug: doc.slug,
    name: doc.name,
    description: doc.description,
    public_url: storeSlug === null || !doc.active ? null : productUrl(baseUrl, storeSlug, doc.slug),
    currency: 'BRL',
    price: showMoney(doc.price_cents),
    promo_price: promo === null ? null : showMoney(promo),
    promo_starts_at: doc.promo_starts_at,
    promo_ends_at: doc.promo_ends_at,
    promo_active: own.promoActive,
    effective_price: showMoney(own.unitCents),
    price_range: { min: showMoney(Math.min(...prices)), max: showMoney(Math.max(...prices)) },
    import_handle: doc.import_handle,
    sku: doc.sku,
    gtin: doc.gtin,
    ncm: doc.ncm,
    unit: doc.unit,
    brand: doc.brand,
    category_uuid: category?.uuid ?? null,
    category: category ? { uuid: category.uuid, name: category.name } : null,
    stock: doc.stock,
    stock_tracked: hasVariants ? units.some(({ stock }) => stock !== null) : doc.stock !== null,
    in_stock: hasVariants ? units.some(({ stock }) => stock !== 0) : doc.stock !== 0,
    weight_grams: doc.weight_grams,
    width_mm: doc.width_mm,
    height_mm: doc.height_mm,
    length_mm: doc.length_mm,
    images,
    image_urls: images.map(({ url }) => url),
    active: doc.active,
    variants: doc.variants.map((variant, position) => presentVariant(doc, variant, position, view)),
    version: doc.version,
    created_at: doc.created_at,
    updated_at: doc.updated_at,
  };
}

/** Prices are those that apply to the variant, its own or the product's. */
function presentVariant(
  doc: ProductSource,
  variant: ProductVariant,
  position: number,
  { now, baseUrl }: ProductView,
) {
  const { listCents, unitCents } = sellingPrice(doc, variant, now);
  const promo = promoPrice(doc, variant);
  const { image } = variant;
  return {
    uuid: variant.uuid,
    name: variantName(variant),
    options: variant.options,
    sku: variant.sku,
    gtin: variant.gtin,
    price: showMoney(listCents),
    promo_price: promo === null ? null : showMoney(promo),
    effective_price: showMoney(unitCents),
    stock: variant.stock,
    stock_tracked: variant.stock !== null,
    available: doc.active && variant.active && variant.stock !== 0,
    image_url: image === null ? null : imageUrl(baseUrl, image.hash, image.content_type),
    position,
    active: variant.active,
  };
}

/** Address of the product on the store's page. */
export const productUrl = (baseUrl: string, storeSlug: string, slug: string): string =>
  `${storeUrl(baseUrl, storeSlug)}/p/${slug}`;
