/** Public addresses of hosted pictures: `/store-images/{hash}.jpg`, and `/store-images/{hash}/{width}.webp` for a rendition. */
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
 * @param baseUrl where the deployment is reached, without a final slash
 * @param hash of the picture at full size, also where `width` names one of its renditions
 * @param contentType of what the address is to serve
 */
export function imageUrl(baseUrl: string, hash: string, contentType: string, width?: number): string {
  const ending = ENDINGS[contentType];
  const name = width === undefined ? hash : `${hash}/${width}`;
  return `${baseUrl}${IMAGES_PATH}/${name}${ending === undefined ? '' : `.${ending}`}`;
}

export interface ImageName {
  readonly hash: string;
  /** Null: at full size. */
  readonly width: number | null;
}

/** What comes after `/store-images`; null when it names no picture. The ending is for people and says nothing. */
export function readImageName(path: string): ImageName | null {
  const [, hash, width] = NAME.exec(path) ?? [];
  return hash === undefined ? null : { hash, width: width === undefined ? null : Number(width) };
}

/** The picture that an address of ours shows; null for every other address. */
export function readImageUrl(baseUrl: string, url: string): ImageName | null {
  const prefix = `${baseUrl}${IMAGES_PATH}`;
  return url.startsWith(prefix) ? readImageName(url.slice(prefix.length)) : null;
}

export interface ImageSources {
  /** For browsers that know no `srcset`: the widest rendition, or the picture itself where it is smaller than all. */
  readonly src: string;
  /** Value of `srcset` with widths, narrowest first. */
  readonly srcset: string;
  /** Of the picture at full size, so that a page keeps its place free. */
  readonly width: number;
  readonly height: number;
}

/** What an `<img>` needs; beside `srcset` it wants `sizes`, which only the page knows. */
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
