/** Detects the image format from the bytes. Names and Content-Type headers prove nothing: the sender chose them. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';

const at = (bytes: Buffer, offset: number, text: string): boolean =>
  bytes.toString('latin1', offset, offset + text.length) === text;

/** Judged by the first bytes. Null for everything else, above all SVG, which can contain scripts. */
export function formatOf(bytes: Buffer): ImageFormat | null {
  if (at(bytes, 0, '\xff\xd8\xff')) return 'jpeg';
  if (at(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (at(bytes, 0, 'RIFF') && at(bytes, 8, 'WEBP')) return 'webp';
  if (at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a')) return 'gif';
  return null;
}

const EXTENSION = 0x21;
const PICTURE = 0x2c;
const TRAILER = 0x3b;

/**
 * Whether a GIF is complete up to its trailer. The decoder returns as much of a truncated one as it finds, and reports
 * no error.
 * https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function isWholeGif(bytes: Buffer): boolean {
  const tableSize = (packed: number): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));
  let place = 13 + tableSize(bytes[10] ?? 0);
  for (;;) {
    const kind = bytes[place];
    if (kind === TRAILER) return true;
    if (kind === EXTENSION) place += 2;
    // Image descriptor, local colour table, and the minimum code size.
    else if (kind === PICTURE) place += 11 + tableSize(bytes[place + 9] ?? 0);
    else return false;
    for (let length = bytes[place]; length !== 0; length = bytes[place]) {
      if (length === undefined) return false;
      place += 1 + length;
    }
    place += 1;
  }
}
