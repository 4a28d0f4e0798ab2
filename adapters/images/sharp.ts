/**
 * Image decoding with libvips (https://sharp.pixelplumbing.com). All output is encoded here from decoded pixels. So
 * neither other contents of the file (positions, cameras, thumbnails, trailing bytes) nor its defects are passed on.
 */
import { availableParallelism } from 'node:os';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { messageOf } from '../../ports/thrown.js';
import {
  ImageRefused,
  type DecodedImage,
  type ImageDecoder,
  type Rendition,
} from '../../ports/image-decoder.js';
import { formatOf, isWholeGif, type ImageFormat } from './file-format.js';
import { createSlots } from './slots.js';

/** Width times height; for an animation, of all frames together. */
const MAX_PIXELS = 25_000_000;
/** Larger images are processed alone, so that images never take more than a few hundred megabytes together. */
const HEAVY_PIXELS = 6_000_000;
const SECONDS = 20;
export const RENDITION_WIDTHS: readonly number[] = [200, 600, 1200];
/** Maximum height of a rendition as a multiple of its width: WebP is limited to 16,383 pixels. */
const TALLEST = 4;
const RENDITION = { quality: 80, effort: 2 } as const;

export interface ImageDecoderOptions {
  /**
   * Images processed at once. Default: the machine's cores minus one, at most three, since libuv has four threads for
   * everything.
   */
  readonly parallel?: number;
}

export function createImageDecoder(options: ImageDecoderOptions = {}): ImageDecoder {
  const parallel = options.parallel ?? Math.max(1, Math.min(3, availableParallelism() - 1));
  const inTurn = createSlots(parallel);
  return {
    async decode(bytes) {
      const format = formatOf(bytes);
      if (format === null) throw new ImageRefused('neither JPEG, PNG, WebP nor GIF', 'format');
      if (format === 'gif' && !isWholeGif(bytes)) throw new ImageRefused('a GIF that breaks off', 'damaged');
      const open = await load();
      const metadata = await refusing(() => open(bytes, LIMITS).metadata());
      if (metadata.format !== format)
        throw new ImageRefused(`a ${format} that reads as ${metadata.format}`, 'damaged');
      const pixels = metadata.width * metadata.height;
      if (pixels > MAX_PIXELS)
        throw new ImageRefused(`${metadata.width} × ${metadata.height} pixels`, 'pixels');
      return inTurn(pixels > HEAVY_PIXELS ? parallel : 1, () =>
        refusing(() => copies(open, bytes, format, metadata)),
      );
    },
  };
}

type Open = (bytes: Buffer, options: SharpOptions) => Sharp;

const LIMITS: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'warning', sequentialRead: true };

/** Loaded with the first image, since most processes never handle one. */
async function load(): Promise<Open> {
  const { default: sharp } = await import('sharp');
  // One thread per image, and no cache: the same image rarely comes twice.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/** Converts any error of libvips about the bytes. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    // libvips refuses a picture beyond `limitInputPixels` before it decodes any of it.
    throw new ImageRefused(message, message.includes('exceeds pixel limit') ? 'pixels' : 'damaged');
  }
}

async function copies(
  open: Open,
  bytes: Buffer,
  format: ImageFormat,
  metadata: Metadata,
): Promise<DecodedImage> {
  const frames = metadata.pages ?? 1;
  const moves = frames > 1 && frames * metadata.width * metadata.height <= MAX_PIXELS;
  const source = (): Sharp => {
    const image = open(bytes, { ...LIMITS, animated: moves }).timeout({ seconds: SECONDS });
    return (moves ? image : image.autoOrient()).toColourspace('srgb');
  };
  // Only decoding all of it proves that a file is complete.
  const full = await encoded(source(), format).toBuffer({ resolveWithObject: true });
  const { width } = full.info;
  const height = full.info.pageHeight ?? full.info.height;
  return {
    bytes: full.data,
    contentType: `image/${format}`,
    width,
    height,
    renditions: await renditions(open, bytes, width),
  };
}

function encoded(image: Sharp, format: ImageFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 88 });
    case 'png':
      return image.png();
    case 'webp':
      return image.webp({ quality: 90, effort: 2 });
    case 'gif':
      return image.gif({ effort: 3 });
  }
}

/** Made from the first frame. The widest one is made from the file, the others from the pixels of the widest. */
async function renditions(open: Open, bytes: Buffer, fullWidth: number): Promise<readonly Rendition[]> {
  const widths = RENDITION_WIDTHS.filter((width) => width < fullWidth);
  const widest = widths.at(-1);
  if (widest === undefined) return [];
  const within = (image: Sharp, width: number): Sharp =>
    image.resize({ width, height: width * TALLEST, fit: 'inside', withoutEnlargement: true });
  const start = open(bytes, LIMITS).timeout({ seconds: SECONDS }).autoOrient().toColourspace('srgb');
  const { data, info } = await within(start, widest).raw().toBuffer({ resolveWithObject: true });
  const { channels, width: rawWidth, height: rawHeight } = info;
  const made = new Map<number, Rendition>();
  for (const width of widths) {
    const pixels = open(data, { raw: { width: rawWidth, height: rawHeight, channels } });
    const result = await within(pixels, width).webp(RENDITION).toBuffer({ resolveWithObject: true });
    const { width: realWidth, height } = result.info;
    made.set(realWidth, { bytes: result.data, contentType: 'image/webp', width: realWidth, height });
  }
  return [...made.values()];
}
