import { Type, type Static, type TObject } from '@sinclair/typebox';
import { defineEvent, instant, nullable, uuid, type EventOf } from '../kernel/event.js';

/** Cents of BRL. */
const cents = () => Type.Integer({ minimum: 0 });
const text = () => nullable(Type.String());
const count = () => Type.Integer({ minimum: 0 });

/** A hosted copy of a picture; hashes are names of blobs. */
export const imageSchema = Type.Object({
  uuid: uuid(),
  /** Address that it was downloaded from, or `upload:` with the hash of the file that somebody uploaded. */
  source_url: Type.String(),
  /** Hash of the hosted copy at full size, which contains the pixels only. */
  hash: Type.String(),
  /** SHA-256 of the bytes as downloaded or uploaded: unchanged bytes need not be processed again. */
  source_hash: Type.String(),
  content_type: Type.String(),
  width: count(),
  height: count(),
  /** Smaller copies, by width. */
  renditions: Type.Array(
    Type.Object({ hash: Type.String(), content_type: Type.String(), width: count(), height: count() }),
  ),
  /** Cache validators of the source, for asking it whether the picture has changed. */
  etag: text(),
  last_modified: text(),
});

export type ProductImage = Readonly<Static<typeof imageSchema>>;

const UPLOADED = 'upload:';

/** The source of an uploaded picture: it names no place, so nothing is ever fetched from it. */
export const uploadedSource = (sourceHash: string): string => `${UPLOADED}${sourceHash}`;

/** The address that a picture was downloaded from; null: it was uploaded. */
export const addressOfSource = ({ source_url }: Pick<ProductImage, 'source_url'>): string | null =>
  source_url.startsWith(UPLOADED) ? null : source_url;

/** The product's own fields; variants, pictures and stock have events of their own. */
const details = {
  name: Type.String(),
  description: text(),
  price_cents: cents(),
  promo_price_cents: nullable(cents()),
  promo_starts_at: nullable(instant()),
  promo_ends_at: nullable(instant()),
  /** The importer's own key, unique in the store. */
  import_handle: text(),
  sku: text(),
  gtin: text(),
  ncm: text(),
  unit: text(),
  brand: text(),
  category_uuid: nullable(uuid()),
  weight_grams: nullable(count()),
  width_mm: nullable(count()),
  height_mm: nullable(count()),
  length_mm: nullable(count()),
  active: Type.Boolean(),
};

export const variantSchema = Type.Object({
  uuid: uuid(),
  /** Axis → value, in display order. */
  options: Type.Record(Type.String(), Type.String()),
  sku: text(),
  gtin: text(),
  /** Null: the product's price applies. */
  price_cents: nullable(cents()),
  promo_price_cents: nullable(cents()),
  image: nullable(imageSchema),
  active: Type.Boolean(),
  /** Units when the variant was created; later, StockSet, StockTaken and StockReturned change the stock. */
  initial_stock: nullable(count()),
});

const stockLine = Type.Object({
  /** Null: the product itself, which has no variants. */
  variant_uuid: nullable(uuid()),
  quantity: Type.Integer({ minimum: 1 }),
  /** Units that left the stock: the quantity, or 0 where stock is not tracked. */
  taken: count(),
});

export const productEvents = [
  defineEvent('ProductCreated', 1, 'A product was added to a store.', {
    company_uuid: uuid(),
    store_uuid: uuid(),
    slug: Type.String(),
    ...details,
    /** Units of a product without variants; null: not tracked. */
    stock: nullable(count()),
    variants: Type.Array(variantSchema),
    images: Type.Array(imageSchema),
  }),
  defineEvent('ProductChanged', 1, 'Details of a product changed; holds the changed ones.', {
    changed: Type.Partial(Type.Object({ slug: Type.String(), ...details })),
  }),
  defineEvent(
    'ProductVariantsReplaced',
    1,
    'The variants of a product changed; holds all of them, and kept ones keep their uuid.',
    {
      variants: Type.Array(variantSchema),
    },
  ),
  defineEvent('ProductImagesReplaced', 1, 'The pictures of a product changed; holds all of them.', {
    images: Type.Array(imageSchema),
  }),
  defineEvent('StockSet', 1, 'Somebody set the number of units in stock, or set that they are not counted.', {
    variant_uuid: nullable(uuid()),
    value: nullable(count()),
    prior: nullable(count()),
    /** `api`, `batch`, `import`, `admin` */
    source: Type.String(),
  }),
  defineEvent('StockTaken', 1, 'An order took units of the product.', {
    order_uuid: uuid(),
    lines: Type.Array(stockLine),
  }),
  defineEvent('StockReturned', 1, 'The units that an order had taken were returned.', {
    order_uuid: uuid(),
    /** `cancelled`; `not_placed`: the order was never placed. */
    reason: Type.Union([Type.Literal('cancelled'), Type.Literal('not_placed')]),
    /** Without variants that were removed or whose stock is no longer tracked. */
    lines: Type.Array(
      Type.Object({ variant_uuid: nullable(uuid()), returned: Type.Integer({ minimum: 1 }) }),
    ),
  }),
  defineEvent('ProductDeleted', 1, 'The product was deleted for good, with its variants and pictures.', {}),
] as const;

export type ProductEvent = EventOf<typeof productEvents>;

export type ProductDetails = Readonly<Static<TObject<typeof details>>>;
export const detailFields = Object.keys(details) as readonly (keyof ProductDetails)[];
