/** Products as the views show them, whether they come from a document or from a stream. */
import { sellingPrice } from '../domain/product/pricing.js';
import { variantName } from '../domain/product/variants.js';
import type { ProductDetails, ProductImage } from '../domain/product/events.js';
import type { Product, ProductVariant } from '../domain/product/state.js';
import { imageSources } from '../application/store/image-address.js';
import { MAX_QUANTITY } from './cart.js';
import { money } from './format.js';
import type { Lang, Texts } from './texts.js';
import type { CardView, ImageView, PriceView, VariantView } from './views/models.js';

type Prices = Pick<ProductDetails, 'price_cents' | 'promo_price_cents' | 'promo_starts_at' | 'promo_ends_at'>;

export interface Goods extends Prices {
  readonly uuid: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
  readonly category_uuid: string | null;
  /** Null: not tracked, or tracked per variant. */
  readonly stock: number | null;
  readonly variants: readonly ProductVariant[];
  readonly images: readonly ProductImage[];
}

export const goodsOf = (uuid: string, product: Product): Goods => ({
  ...product.details,
  uuid,
  slug: product.slug,
  stock: product.stock,
  variants: product.variants,
  images: product.images,
});

/** The context of a view: language, time and address. */
export interface Viewer {
  readonly lang: Lang;
  readonly t: Texts;
  /** Milliseconds; decides which promotions are active. */
  readonly now: number;
  /** Prefix of the addresses of pictures. */
  readonly basePath: string;
}

/** From this many units down, the page says that few are left. */
const FEW = 3;

export const activeVariants = ({ variants }: Pick<Goods, 'variants'>): readonly ProductVariant[] =>
  variants.filter(({ active }) => active);

/** The units that can be bought: the active variants, or the product itself. */
const units = (goods: Goods): readonly (ProductVariant | null)[] =>
  goods.variants.length === 0 ? [null] : activeVariants(goods);

const stockOf = (goods: Goods, unit: ProductVariant | null): number | null => (unit ?? goods).stock;

export const isOnPromotion = (goods: Goods, now: number): boolean =>
  !isSoldOut(goods) && priceOf(goods, now).promoActive;

export const isSoldOut = (goods: Goods): boolean => units(goods).every((unit) => stockOf(goods, unit) === 0);

/** Highest quantity that one line may request. */
export const mostOf = (goods: Goods): number =>
  Math.max(1, ...units(goods).map((unit) => Math.min(stockOf(goods, unit) ?? MAX_QUANTITY, MAX_QUANTITY)));

export interface Price {
  /** Cents of the cheapest unit in stock, or of the cheapest at all where none is in stock. */
  readonly unitCents: number;
  readonly listCents: number;
  readonly promoActive: boolean;
  /** Cents of the most expensive unit. */
  readonly highestCents: number;
}

export function priceOf(goods: Goods, now: number): Price {
  const there = units(goods).filter((unit) => stockOf(goods, unit) !== 0);
  const from = there.length > 0 ? there : goods.variants.length === 0 ? [null] : goods.variants;
  const prices = from.map((unit) => sellingPrice(goods, unit, now)).sort((a, b) => a.unitCents - b.unitCents);
  return { ...prices[0]!, highestCents: prices.at(-1)!.unitCents };
}

export function priceView(price: Price, lang: Lang): PriceView {
  const { unitCents, listCents, promoActive } = price;
  return {
    text: money(lang, unitCents),
    before: promoActive ? money(lang, listCents) : null,
    percentOff: promoActive ? Math.max(1, Math.floor((100 * (listCents - unitCents)) / listCents)) : 0,
    from: price.highestCents > unitCents,
  };
}

export const imageView = (image: ProductImage, { basePath }: Viewer): ImageView =>
  imageSources(basePath, image);

/** The product's pictures, then those of its variants, without duplicates. */
export function picturesOf(goods: Goods): readonly ProductImage[] {
  const own = activeVariants(goods).flatMap(({ image }) => image ?? []);
  const all = new Map([...goods.images, ...own].map((image) => [image.hash, image]));
  return [...all.values()];
}

/** @param href address of the product's page */
export function cardView(goods: Goods, href: string, viewer: Viewer): CardView {
  const [first] = picturesOf(goods);
  return {
    name: goods.name,
    href,
    image: first ? imageView(first, viewer) : null,
    price: priceView(priceOf(goods, viewer.now), viewer.lang),
    soldOut: isSoldOut(goods),
  };
}

export function variantViews(goods: Goods, { lang, t, now }: Viewer): readonly VariantView[] {
  return activeVariants(goods).map((variant) => {
    const price = sellingPrice(goods, variant, now);
    return {
      uuid: variant.uuid,
      name: variantName(variant),
      price: priceView({ ...price, highestCents: price.unitCents }, lang),
      soldOut: variant.stock === 0,
      hint: fewLeft(variant.stock, t),
    };
  });
}

export const fewLeft = (stock: number | null, t: Texts): string | null =>
  stock !== null && stock > 0 && stock <= FEW ? t.lastUnits(stock) : null;
