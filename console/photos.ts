/** Photos for products: made fit in the page, so that a phone sends no more than the shop shows. */
import { drawnAnew, MAX_SIDE, NotAttachable } from './files.js';

/** As the server has it (application/store/uploaded-images.ts). */
const MOST_BYTES = 10 * 1024 * 1024;
/** How the files begin that the server takes: JPEG, PNG, GIF, WebP. A name and its type may say anything. */
const TAKEN = /^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP)/s;
const HEAD_BYTES = 12;

/**
 * The file itself where the server takes it; else it is drawn anew, smaller: also what only the browser can read, such as
 * photos of a phone in HEIC.
 * @throws NotAttachable when the browser can not read it as a picture
 */
export async function photoOf(file: File): Promise<Blob> {
  if (file.size === 0) throw new NotAttachable('empty');
  const picture = await createImageBitmap(file).catch(() => {
    throw new NotAttachable('picture');
  });
  try {
    const fits = Math.max(picture.width, picture.height) <= MAX_SIDE && file.size <= MOST_BYTES;
    const head = String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
    return fits && TAKEN.test(head) ? file : await drawnAnew(picture);
  } finally {
    picture.close();
  }
}
