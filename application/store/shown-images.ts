/** Pictures that products show, found by the hash of any of their blobs. The projection behind it: projections/models/store-images.ts. */
import type { ProductEvent, ProductImage } from '../../domain/product/events.js';
import { blobsOf } from './image-expiry.js';
import type { ReadModels } from '../../ports/read-models.js';
import { STORE_IMAGES_SCOPE, storeImages, type StoreImagesDoc } from '../../read-models/store-images.js';

/** Pictures of one product. */
export type Shown = Pick<StoreImagesDoc, 'gallery' | 'variants'>;

export const nothingShown: Shown = { gallery: [], variants: [] };

/** Types of the events that change what a product shows. */
export const SHOWING = [
  'ProductCreated',
  'ProductImagesReplaced',
  'ProductVariantsReplaced',
  'ProductDeleted',
] as const;

export type ShowingEvent = Extract<ProductEvent, { readonly type: (typeof SHOWING)[number] }>;

export function shownAfter(shown: Shown, event: ShowingEvent): Shown {
  switch (event.type) {
    case 'ProductCreated':
      return { gallery: event.data.images, variants: ofVariants(event.data.variants) };
    case 'ProductImagesReplaced':
      return { ...shown, gallery: event.data.images };
    case 'ProductVariantsReplaced':
      return { ...shown, variants: ofVariants(event.data.variants) };
    case 'ProductDeleted':
      return nothingShown;
    default:
      return shown;
  }
}

const ofVariants = (variants: readonly { readonly image: ProductImage | null }[]): readonly ProductImage[] =>
  variants.flatMap(({ image }) => (image ? [image] : []));

/** Hashes of all their blobs, each once. */
export const blobsShown = ({ gallery, variants }: Shown): readonly string[] => [
  ...new Set([...gallery, ...variants].flatMap(blobsOf)),
];

/** The picture whose full-size copy has this hash, as some product shows it. */
export async function findShownImage(
  readModels: ReadModels,
  hash: string,
): Promise<ProductImage | undefined> {
  // Another picture's rendition may be this very blob, so that more than one document has to be looked at.
  let after: readonly (string | number | null)[] | undefined;
  do {
    const page = await readModels.search(storeImages.name, {
      scope: STORE_IMAGES_SCOPE,
      prefixes: [hash],
      order: 'asc',
      limit: 10,
      ...(after === undefined ? {} : { after }),
    });
    for (const { doc } of page.documents) {
      const found = [...doc.gallery, ...doc.variants].find((image) => image.hash === hash);
      if (found) return found;
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return undefined;
}

/** Whether some product shows the blob, at full size or as a rendition. */
export async function isBlobShown(readModels: ReadModels, hash: string): Promise<boolean> {
  const { documents } = await readModels.search(storeImages.name, {
    scope: STORE_IMAGES_SCOPE,
    prefixes: [hash],
    order: 'asc',
    limit: 1,
  });
  return documents.length > 0;
}
