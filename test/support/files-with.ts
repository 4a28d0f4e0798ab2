import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { STORED_TEXTS } from '../../ports/stored-texts.js';

/** Returns the files below a folder that contain one of the words, as bytes or in a compressed document. */
export function filesWith(folder: string, words: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return (
        words.some((word) => bytes.includes(word)) ||
        compressedTexts(bytes).some((text) => words.some((word) => text.includes(word)))
      );
    });
}

/** A page that was overwritten in part, or a document that continues in another page, still has a beginning. */
const LENGTHS = [65_536, 2_048, 512, 128];
const CHECKSUM_AT = 2;
const CHECKSUM_BYTES = 4;

/** All that begins like a compressed document, wherever it stands: in a row, a free page, or the write-ahead log. */
function compressedTexts(bytes: Buffer): readonly string[] {
  return STORED_TEXTS.flatMap((common) => {
    const dictionary = Buffer.from(common);
    const checksum = deflateSync('', { dictionary }).subarray(CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_BYTES);
    const found: string[] = [];
    for (let at = bytes.indexOf(checksum); at >= 0; at = bytes.indexOf(checksum, at + 1))
      found.push(beginningOf(bytes.subarray(at - CHECKSUM_AT), dictionary));
    return found;
  });
}

function beginningOf(stream: Buffer, dictionary: Buffer): string {
  for (const length of LENGTHS) {
    try {
      const options = { dictionary, finishFlush: constants.Z_SYNC_FLUSH };
      return inflateSync(stream.subarray(0, length), options).toString();
    } catch {
      // Other bytes follow before the stream ends.
    }
  }
  return '';
}
