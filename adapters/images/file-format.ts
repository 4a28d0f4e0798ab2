/** What the bytes of a picture say they are. Names and Content-Type headers say nothing: whoever gave them chose them. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';

const at = (bytes: Buffer, offset: number, text: string): boolean =>
  bytes.toString('latin1', offset, offset + text.length) === text;

/** By the first bytes; null for everything else, SVG above all: it is a program. */
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
 * Whether a GIF goes on to its trailer. The decoder shows as much of a broken one as it finds, and does not complain.
 * https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function isWholeGif(bytes: Buffer): boolean {
  const tableSize = (packed: number): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));
  let place = 13 + tableSize(bytes[10] ?? 0);
  for (;;) {
    const kind = bytes[place];
    if (kind === TRAILER) return true;
    if (kind === EXTENSION) place += 2;
    // Descriptor, colours of its own, and the width of the first code.
    else if (kind === PICTURE) place += 11 + tableSize(bytes[place + 9] ?? 0);
    else return false;
    for (let length = bytes[place]; length !== 0; length = bytes[place]) {
      if (length === undefined) return false;
      place += 1 + length;
    }
    place += 1;
  }
}
