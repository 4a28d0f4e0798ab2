/**
 * Pictures that somebody uploads for products. The copies are stored as those of a picture from an address, for an hour
 * unless a product shows them. Until then a record outside the history says what they are and whose: nobody is served
 * them, and only the company that uploaded them can put them into a product.
 */
import { createHash } from 'node:crypto';
import { deriveId, type CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { uploadedSource, type ProductImage } from '../../domain/product/events.js';
import { ImageRefused, type ImageFault } from '../../ports/image-decoder.js';
import type { ReadModels } from '../../ports/read-models.js';
import { versionAfter } from '../../ports/versions.js';
import { imageUploads } from '../../read-models/image-uploads.js';
import type { App } from '../app.js';
import { imageUrl } from './image-address.js';
import { IMAGE_GRACE_MS } from './image-expiry.js';
import { storeCopies, type StoredCopies } from './stored-copies.js';

/** As much as is fetched from an address. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const FORGOTTEN_AT_ONCE = 100;

export interface UploadedImage {
  /** For `image_urls` and `image_url` of a product. */
  readonly url: string;
  readonly mime_type: string;
  /** Of the hosted copy, in bytes. */
  readonly size: number;
  readonly width: number;
  readonly height: number;
  /** Unless a product shows it. */
  readonly expires_at: string;
}

/**
 * The same picture again answers with the same address, and is kept for another hour.
 * @throws Refusal payload_too_large, product_image_invalid; StoreUnavailable
 */
export async function uploadImage(
  app: Pick<App, 'blobs' | 'clock' | 'dueTimes' | 'images' | 'publicUrl' | 'readModels'>,
  companyUuid: CompanyUuid,
  file: Buffer,
): Promise<UploadedImage> {
  refuseTooLarge(file.length);
  const now = app.clock.now();
  const { bytes: size, ...copies } = await copiesOf(app, file);
  const source_hash = createHash('sha256').update(file).digest('hex');
  const id = idOf(companyUuid, copies.hash);
  const before = await app.readModels.get(imageUploads.name, id);
  const doc = {
    company_uuid: companyUuid,
    uploaded_at: new Date(now).toISOString(),
    source_url: uploadedSource(source_hash),
    source_hash,
    etag: null,
    last_modified: null,
    ...copies,
  };
  await app.readModels.write(imageUploads.name, [{ id, doc, version: versionAfter(before?.version, now) }]);
  const { hash, content_type: mime_type, width, height } = copies;
  const url = imageUrl(app.publicUrl(), hash, mime_type);
  return {
    url,
    mime_type,
    size,
    width,
    height,
    expires_at: new Date(now + IMAGE_GRACE_MS).toISOString(),
  };
}

/** @throws Refusal payload_too_large */
export function refuseTooLarge(bytes: number): void {
  if (bytes <= MAX_UPLOAD_BYTES) return;
  throw new Refusal(
    'payload_too_large',
    `The picture is larger than ${MAX_UPLOAD_BYTES} bytes. Make it smaller, and upload it again.`,
    { limit_bytes: MAX_UPLOAD_BYTES },
  );
}

const WHAT_TO_DO: Readonly<Record<ImageFault | 'empty', string>> = {
  empty: 'The file is empty. Choose a picture.',
  format: 'The file is no JPEG, PNG, WebP or GIF. Save it as one of these, and upload that.',
  pixels: 'The picture has more than 25 million pixels. Make it smaller, and upload it again.',
  damaged: 'The picture is damaged or incomplete. Open it, save it anew, and upload that.',
};

/** @throws Refusal product_image_invalid. Unlike that of an address, its reason tells nothing about our network. */
async function copiesOf(
  app: Pick<App, 'blobs' | 'clock' | 'dueTimes' | 'images'>,
  file: Buffer,
): Promise<StoredCopies> {
  try {
    if (file.length === 0) throw invalid('empty');
    return await storeCopies(app, file);
  } catch (error) {
    if (error instanceof ImageRefused) throw invalid(error.fault);
    throw error;
  }
}

const invalid = (reason: ImageFault | 'empty'): Refusal =>
  new Refusal('product_image_invalid', WHAT_TO_DO[reason], { reason });

/** The picture that this company uploaded, by the hash of its copy at full size. */
export async function findUploadedImage(
  readModels: ReadModels,
  companyUuid: CompanyUuid,
  hash: string,
): Promise<Omit<ProductImage, 'uuid'> | undefined> {
  const found = await readModels.get(imageUploads.name, idOf(companyUuid, hash));
  if (!found) return undefined;
  const { company_uuid: _company, uploaded_at: _at, ...picture } = found.doc;
  return picture;
}

/** Removes what is known of uploads of this picture, by any company. */
export async function forgetUploads(
  { readModels, clock }: Pick<App, 'readModels' | 'clock'>,
  hash: string,
): Promise<void> {
  const query = { index: 'by_hash', equals: [hash], order: 'asc', limit: FORGOTTEN_AT_ONCE } as const;
  for (;;) {
    const { documents } = await readModels.find(imageUploads.name, query);
    if (documents.length === 0) return;
    const removed = documents.map(({ id, version }) => ({
      id,
      doc: null,
      version: versionAfter(version, clock.now()),
    }));
    await readModels.write(imageUploads.name, removed);
  }
}

const idOf = (companyUuid: CompanyUuid, hash: string): string => deriveId('image-upload', companyUuid, hash);
