/**
 * Converts a product write to a command: resolves categories and fetches pictures. Everything that can be refused is
 * refused first.
 */
import { Refusal } from '../../../domain/kernel/refusal.js';
import { fieldAt } from '../../../domain/policies/field-at.js';
import {
  requireForCreation,
  type ProductWrite,
  type Warning,
} from '../../../domain/policies/product/write.js';
import { decideProduct, type ProductCommand, type StockSource } from '../../../domain/product/decide.js';
import type { ProductEvent } from '../../../domain/product/events.js';
import { productSlug } from '../../../domain/product/slug.js';
import { initialProduct, type Product, type ProductImage } from '../../../domain/product/state.js';
import type { WantedVariant } from '../../../domain/product/variants.js';
import type { App } from '../../app.js';
import type { OpenStore } from '../gate.js';
import { resolveImages, type ImageMemo } from '../images.js';

type Create = Extract<ProductCommand, { type: 'CreateProduct' }>;
type Change = Extract<ProductCommand, { type: 'ChangeProduct' }>;

/** Default details of a product. */
const { details: DEFAULTS } = initialProduct;

/**
 * All checks of a new product that do not need its pictures.
 * @throws Refusal of readProductWrite and the product's decider; category_not_found
 */
export function checkCreation(app: Pick<App, 'newId'>, store: OpenStore, write: ProductWrite): void {
  requireForCreation(write);
  checkCategory(store, write);
  const variants = wantedVariants(app, write, null) ?? [];
  decideProduct(creation(store, { ...write, uuid: NOBODY, variants, images: [] }), initialProduct);
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Call after checkCreation. @throws Refusal product_image_invalid */
export async function prepareCreation(
  app: Pick<App, 'blobs' | 'clock' | 'dueTimes' | 'images' | 'logger' | 'newId' | 'publicUrl' | 'readModels'>,
  store: OpenStore,
  uuid: string,
  write: ProductWrite,
  memo: ImageMemo,
): Promise<Create> {
  const pictures = await fetchPictures(app, store, write, [], memo);
  const variants = wantedVariants(app, write, pictures) ?? [];
  return creation(store, { ...write, uuid, variants, images: pictures.gallery ?? [] });
}

function creation(
  store: OpenStore,
  product: Pick<ProductWrite, 'details' | 'stock'> &
    Pick<Create, 'variants' | 'images'> & { readonly uuid: string },
): Create {
  const details = { ...DEFAULTS, ...product.details };
  return {
    type: 'CreateProduct',
    companyUuid: store.state.companyUuid,
    storeUuid: store.uuid,
    slug: productSlug(details.name, product.uuid),
    details,
    stock: product.stock ?? null,
    variants: product.variants,
    images: product.images,
  };
}

/**
 * The change command, and the events it produces on the given state.
 * @throws Refusal category_not_found, product_image_invalid; the refusals of the product's decider
 */
export async function prepareChange(
  app: Pick<App, 'blobs' | 'clock' | 'dueTimes' | 'images' | 'logger' | 'newId' | 'publicUrl' | 'readModels'>,
  store: OpenStore,
  state: Product,
  write: ProductWrite,
  source: StockSource,
  memo: ImageMemo,
): Promise<{ readonly command: Change; readonly events: readonly ProductEvent[] }> {
  checkCategory(store, write);
  const change = (pictures: Pictures | null): Change => {
    const variants = wantedVariants(app, write, pictures);
    return {
      type: 'ChangeProduct',
      details: write.details,
      ...(write.stock === undefined ? {} : { stock: write.stock }),
      ...(variants === undefined ? {} : { variants }),
      ...(pictures?.gallery === undefined ? {} : { images: pictures.gallery }),
      source,
    };
  };
  const plain = change(null);
  const events = decideProduct(plain, state);
  if (!namesPictures(write)) return { command: plain, events };
  const known = [...state.images, ...state.variants.flatMap(({ image }) => (image ? [image] : []))];
  const command = change(await fetchPictures(app, store, write, known, memo));
  return { command, events: decideProduct(command, state) };
}

const namesPictures = ({ imageUrls, variants }: ProductWrite): boolean =>
  imageUrls !== undefined || (variants ?? []).some(({ imageUrl }) => imageUrl !== undefined);

/** Warnings for variants with a uuid that the product does not have: they are matched by SKU or options, or are new. */
export const variantWarnings = ({ variants }: Product, write: ProductWrite): readonly Warning[] =>
  (write.variants ?? []).flatMap(({ uuid }, index) => {
    if (uuid === null || variants.some((variant) => variant.uuid === uuid)) return [];
    const { field } = fieldAt('variants', index, 'uuid');
    const message = `${field} is no variant of this product; the variant was matched by sku, then by options.`;
    return [{ code: 'variant_unknown', message, field }];
  });

function checkCategory({ state }: OpenStore, { details }: ProductWrite): void {
  const uuid = details.category_uuid ?? null;
  if (uuid === null || state.categories.has(uuid)) return;
  throw new Refusal('category_not_found', 'There is no such category in this store.', {
    ...fieldAt('category_uuid'),
    category_uuid: uuid,
  });
}

interface Pictures {
  /** Undefined when the request contained no gallery. */
  readonly gallery: readonly ProductImage[] | undefined;
  readonly byUrl: ReadonlyMap<string, ProductImage>;
}

async function fetchPictures(
  app: Pick<App, 'blobs' | 'clock' | 'dueTimes' | 'images' | 'logger' | 'newId' | 'publicUrl' | 'readModels'>,
  { uuid: storeUuid, state: { companyUuid } }: OpenStore,
  write: ProductWrite,
  known: readonly ProductImage[],
  memo: ImageMemo,
): Promise<Pictures> {
  const wanted = [
    ...(write.imageUrls ?? []).map((url, index) => ({ url, at: fieldAt('image_urls', index) })),
    ...(write.variants ?? []).flatMap(({ imageUrl }, index) =>
      typeof imageUrl === 'string' ? [{ url: imageUrl, at: fieldAt('variants', index, 'image_url') }] : [],
    ),
  ];
  if (wanted.length === 0) return { gallery: write.imageUrls && [], byUrl: new Map() };
  const urls = wanted.map(({ url }) => url);
  const fields = wanted.map(({ at }) => at.field);
  try {
    const images = await resolveImages(app, { companyUuid, storeUuid, urls, known, fields }, memo);
    const byUrl = new Map(images.map((image, index) => [urls[index] ?? '', image]));
    // An address given twice is a single picture.
    const gallery = write.imageUrls && [...new Set(write.imageUrls.flatMap((url) => byUrl.get(url) ?? []))];
    return { gallery, byUrl };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'product_image_invalid') throw error;
    const at = wanted.find((one) => one.at.field === error.details['field'])?.at;
    throw new Refusal(error.code, error.message, { ...error.details, ...at });
  }
}

function wantedVariants(
  app: Pick<App, 'newId'>,
  { variants }: ProductWrite,
  pictures: Pictures | null,
): readonly WantedVariant[] | undefined {
  return variants?.map(({ imageUrl, ...variant }) => {
    const image = typeof imageUrl === 'string' ? pictures?.byUrl.get(imageUrl) : imageUrl;
    return { ...variant, newUuid: app.newId(), ...(image === undefined ? {} : { image }) };
  });
}
