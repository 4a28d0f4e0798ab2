/**
 * Pictures of products: converts addresses given by integrators to hosted copies.
 *
 * An address that the product already has is not downloaded again. Where its source gave an ETag or a date, a
 * conditional request checks for changes; otherwise the stored copy is kept. Our own addresses are never fetched. All
 * failures have the same error, because the reason would reveal details of our network.
 */
import { createHash } from 'node:crypto';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ProductImage } from '../../domain/product/events.js';
import { ImageRefused } from '../../ports/image-decoder.js';
import type { App } from '../app.js';
import { readImageUrl, type ImageName } from './image-address.js';
import { blobsOf, putOffExpiry } from './image-expiry.js';
import { findDisplayedImage } from './displayed-images.js';
import { findUploadedImage } from './uploaded-images.js';
import { storeCopies } from './stored-copies.js';

export { imageUrl } from './image-address.js';

type ImagesApp = Pick<
  App,
  'images' | 'publicUrl' | 'blobs' | 'readModels' | 'dueTimes' | 'clock' | 'newId' | 'logger'
>;

/** A picture before it belongs to a product. */
type Picture = Omit<ProductImage, 'uuid'>;

/** State of one batch: each address is fetched once, and a host that does not respond is tried only a few times. */
export interface ImageMemo {
  readonly pictures: Map<string, Promise<Picture>>;
  /** Blobs whose expiry was postponed for this batch. */
  readonly kept: Set<string>;
  /** Number of failed connections by host. */
  readonly silent: Map<string, number>;
}

export const createImageMemo = (): ImageMemo => ({
  pictures: new Map(),
  kept: new Set(),
  silent: new Map(),
});

export interface ImagesWanted {
  /** Only this company may use the pictures that it uploaded and that no product shows yet. */
  readonly companyUuid: CompanyUuid;
  readonly storeUuid: string;
  readonly urls: readonly string[];
  /** The product's current pictures, including those of its variants. */
  readonly known: readonly ProductImage[];
  /** Names of the fields that contain `urls`; `image_urls[0]`, `image_urls[1]` and so on when left out. */
  readonly fields?: readonly string[];
}

/** Not usable as a picture; the reason is only logged. */
class NoPicture extends Error {
  override readonly name = 'NoPicture';
}

const SILENT_TRIES = 3;

/**
 * Returns a picture for each address, in their order; the same address twice is the same picture, including its uuid.
 * Pictures that the product already shows are returned as in `known`. New bytes are stored and kept for an hour, even
 * when the product is not written then.
 *
 * @param memo state of the batch that writes this product
 * @throws Refusal product_image_invalid, for the first address without a usable picture; StoreUnavailable
 */
export async function resolveImages(
  app: ImagesApp,
  wanted: ImagesWanted,
  memo: ImageMemo = createImageMemo(),
): Promise<readonly ProductImage[]> {
  const { urls, known } = wanted;
  const distinct = [...new Set(urls)];
  const outcomes = await Promise.allSettled(distinct.map((url) => pictureAt(app, wanted, url, memo)));
  const pictures = new Map<string, Picture>();
  let invalid: string | undefined;
  for (const [index, url] of distinct.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') pictures.set(url, outcome.value);
    else if (!(outcome?.reason instanceof NoPicture)) throw outcome?.reason;
    else invalid ??= url;
  }
  if (invalid !== undefined) {
    const index = urls.indexOf(invalid);
    throw new Refusal('product_image_invalid', 'An image could not be downloaded as a public image.', {
      field: wanted.fields?.[index] ?? `image_urls[${index}]`,
      index,
    });
  }
  const images = identified(app, pictures, known);
  return urls.flatMap((url) => images.get(url) ?? []);
}

/** Gives each picture its existing uuid in the product, or a new one. */
function identified(
  app: ImagesApp,
  pictures: ReadonlyMap<string, Picture>,
  known: readonly ProductImage[],
): ReadonlyMap<string, ProductImage> {
  const images = new Map<string, ProductImage>();
  const free = new Map(known.map((image) => [image.uuid, image]));
  const take = (url: string, picture: Picture, match: (image: ProductImage) => boolean): void => {
    const found = [...free.values()].find(match);
    if (!found) return;
    free.delete(found.uuid);
    // The same bytes are the same picture, even if the metadata of the source has changed.
    images.set(url, found.source_url === picture.source_url ? found : { ...found, ...picture });
  };
  // First those that match by address, so that none of them is used for the same bytes at another address.
  for (const [url, picture] of pictures) {
    const { hash, source_url } = picture;
    take(url, picture, (image) => image.hash === hash && image.source_url === source_url);
  }
  for (const [url, picture] of pictures) {
    if (!images.has(url)) take(url, picture, (image) => image.hash === picture.hash);
    if (!images.has(url)) images.set(url, { uuid: app.newId(), ...picture });
  }
  return images;
}

async function pictureAt(
  app: ImagesApp,
  wanted: ImagesWanted,
  url: string,
  memo: ImageMemo,
): Promise<Picture> {
  const hosted = readImageUrl(app.publicUrl(), url);
  if (hosted) return hostedPicture(app, wanted, hosted, memo);
  const known = wanted.known.find((image) => image.source_url === url);
  if (known && known.etag === null && known.last_modified === null) return pictureOf(known);
  let pending = memo.pictures.get(url);
  if (!pending) {
    pending = download(app, wanted.storeUuid, url, memo, known);
    memo.pictures.set(url, pending);
  }
  let picture: Picture;
  try {
    picture = await pending;
  } catch (error) {
    // A source that fails now must not cost the product its existing picture.
    if (known && error instanceof NoPicture) return pictureOf(known);
    throw error;
  }
  if (!wanted.known.some(({ hash }) => hash === picture.hash)) await keep(app, picture, memo);
  return picture;
}

const pictureOf = ({ uuid: _, ...picture }: ProductImage): Picture => picture;

/** A picture of this deployment: of the product itself, shown by any other product, or uploaded by the company. */
async function hostedPicture(
  app: ImagesApp,
  { companyUuid, known }: ImagesWanted,
  { hash }: ImageName,
  memo: ImageMemo,
): Promise<Picture> {
  const own = known.find((image) => image.hash === hash);
  if (own) return pictureOf(own);
  const shown = await findDisplayedImage(app.readModels, hash);
  const picture = shown ? pictureOf(shown) : await findUploadedImage(app.readModels, companyUuid, hash);
  if (!picture) throw new NoPicture('no product shows this picture, and the company has not uploaded it');
  await keep(app, picture, memo);
  return picture;
}

/** Keeps the bytes until the product is recorded. They may have been deleted since they were last shown. */
async function keep(app: ImagesApp, picture: Picture, memo: ImageMemo): Promise<void> {
  const hashes = blobsOf(picture).filter((hash) => !memo.kept.has(hash));
  if (hashes.length === 0) return;
  await putOffExpiry(app, hashes);
  const there = await Promise.all(hashes.map((hash) => app.blobs.has(hash)));
  if (there.includes(false)) throw new NoPicture('the bytes of the picture are gone');
  for (const hash of hashes) memo.kept.add(hash);
}

async function download(
  app: ImagesApp,
  storeUuid: string,
  url: string,
  memo: ImageMemo,
  known?: ProductImage,
): Promise<Picture> {
  const host = URL.canParse(url) ? new URL(url).host : '';
  const giveBack = await app.images.turns.take([`store ${storeUuid}`, `host ${host}`]);
  try {
    if ((memo.silent.get(host) ?? 0) >= SILENT_TRIES) throw new NoPicture('the host has not answered before');
    const answer = await app.images.fetcher.fetch({
      url,
      ...(known ? { known: { etag: known.etag, lastModified: known.last_modified } } : {}),
    });
    if (answer.kind === 'failed') {
      if (answer.unreachable) memo.silent.set(host, (memo.silent.get(host) ?? 0) + 1);
      throw new NoPicture(answer.reason);
    }
    if (answer.kind === 'not_modified') {
      if (!known) throw new NoPicture('not modified, and nothing is known');
      return pictureOf(known);
    }
    const source_hash = createHash('sha256').update(answer.bytes).digest('hex');
    if (known?.source_hash === source_hash) return pictureOf(known);
    const { etag, lastModified: last_modified } = answer;
    const { bytes: _size, ...copies } = await storeCopies(app, answer.bytes);
    const picture = { source_url: url, source_hash, etag, last_modified, ...copies };
    for (const hash of blobsOf(picture)) memo.kept.add(hash);
    return picture;
  } catch (error) {
    if (!(error instanceof NoPicture) && !(error instanceof ImageRefused)) throw error;
    // Only the host: an address may contain a signature.
    app.logger.debug({ store: storeUuid, host, reason: error.message }, 'no picture at an address');
    throw error instanceof NoPicture ? error : new NoPicture(error.message);
  } finally {
    giveBack();
  }
}
