/**
 * Public addresses of hosted pictures: `/store-images/{hash}.jpg`, and `/store-images/{hash}/{width}.webp` for a
 * rendition.
 */
import type { ProductImage } from '../../domain/product/events.js';

export const IMAGES_PATH = '/store-images';

const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
};
const NAME = /^\/([0-9a-f]{64})(?:\.[a-z]{3,4}|\/([1-9]\d{0,4})(?:\.[a-z]{3,4})?)?$/;

/**
 * @param baseUrl public base URL of the deployment, without a trailing slash
 * @param hash of the picture at full size, even where `width` selects one of its renditions
 * @param contentType of the picture or rendition at the address
 */
export function imageUrl(baseUrl: string, hash: string, contentType: string, width?: number): string {
  const ending = ENDINGS[contentType];
  const name = width === undefined ? hash : `${hash}/${width}`;
  return `${baseUrl}${IMAGES_PATH}/${name}${ending === undefined ? '' : `.${ending}`}`;
}

export interface ImageName {
  readonly hash: string;
  /** Null: the picture at full size. */
  readonly width: number | null;
}

/** The path after `/store-images`; null when it is no picture's. The file extension is ignored. */
export function readImageName(path: string): ImageName | null {
  const [, hash, width] = NAME.exec(path) ?? [];
  return hash === undefined ? null : { hash, width: width === undefined ? null : Number(width) };
}

/** The picture at an address of this deployment; null for every other address. */
export function readImageUrl(baseUrl: string, url: string): ImageName | null {
  const prefix = `${baseUrl}${IMAGES_PATH}`;
  return url.startsWith(prefix) ? readImageName(url.slice(prefix.length)) : null;
}

export interface ImageSources {
  /** For browsers without `srcset`: the widest rendition, or the picture itself where it is smaller than all. */
  readonly src: string;
  /** Value of `srcset` with widths, narrowest first. */
  readonly srcset: string;
  /** Size at full resolution, so that a page can reserve the space. */
  readonly width: number;
  readonly height: number;
}

/** The attributes of an `<img>`; `srcset` also needs `sizes`, which only the page knows. */
export function imageSources(
  baseUrl: string,
  image: Pick<ProductImage, 'hash' | 'content_type' | 'width' | 'height' | 'renditions'>,
): ImageSources {
  const full = imageUrl(baseUrl, image.hash, image.content_type);
  const smaller = image.renditions
    .toSorted((a, b) => a.width - b.width)
    .map(({ content_type, width }) => ({
      url: imageUrl(baseUrl, image.hash, content_type, width),
      width,
    }));
  return {
    src: smaller.at(-1)?.url ?? full,
    srcset: [...smaller, { url: full, width: image.width }]
      .map(({ url, width }) => `${url} ${width}w`)
      .join(', '),
    width: image.width,
    height: image.height,
  };
}
