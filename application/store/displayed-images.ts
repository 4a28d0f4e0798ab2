/** Pictures shown by products, found by the hash of any blob. Projection: projections/models/store-images.ts. */
import type { ProductEvent, ProductImage } from '../../domain/product/events.js';
import { blobsOf } from './image-expiry.js';
import type { ReadModels } from '../../ports/read-models.js';
import { STORE_IMAGES_SCOPE, storeImages, type StoreImagesDoc } from '../../read-models/store-images.js';

/** Pictures of one product. */
export type DisplayedImages = Pick<StoreImagesDoc, 'gallery' | 'variants'>;

export const nothingDisplayed: DisplayedImages = { gallery: [], variants: [] };

/** Types of the events that change what a product shows. */
export const DISPLAY_EVENTS = [
  'ProductCreated',
  'ProductImagesReplaced',
  'ProductVariantsReplaced',
  'ProductDeleted',
] as const;

export type DisplayEvent = Extract<ProductEvent, { readonly type: (typeof DISPLAY_EVENTS)[number] }>;

export function displayedAfter(shown: DisplayedImages, event: DisplayEvent): DisplayedImages {
  switch (event.type) {
    case 'ProductCreated':
      return { gallery: event.data.images, variants: ofVariants(event.data.variants) };
    case 'ProductImagesReplaced':
      return { ...shown, gallery: event.data.images };
    case 'ProductVariantsReplaced':
      return { ...shown, variants: ofVariants(event.data.variants) };
    case 'ProductDeleted':
      return nothingDisplayed;
    default:
      return shown;
  }
}

const ofVariants = (variants: readonly { readonly image: ProductImage | null }[]): readonly ProductImage[] =>
  variants.flatMap(({ image }) => (image ? [image] : []));

/** Hashes of all their blobs, without duplicates. */
export const displayedBlobs = ({ gallery, variants }: DisplayedImages): readonly string[] => [
  ...new Set([...gallery, ...variants].flatMap(blobsOf)),
];

/** The picture whose full-size copy has this hash, from any product that shows it. */
export async function findDisplayedImage(
  readModels: ReadModels,
  hash: string,
): Promise<ProductImage | undefined> {
  // A rendition of another picture may be this same blob, so more than one document may have to be checked.
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

/** Whether any product shows the blob, at full size or as a rendition. */
export async function isBlobDisplayed(readModels: ReadModels, hash: string): Promise<boolean> {
  const { documents } = await readModels.search(storeImages.name, {
    scope: STORE_IMAGES_SCOPE,
    prefixes: [hash],
    order: 'asc',
    limit: 1,
  });
  return documents.length > 0;
}
