/**
 * Files are sealed under the person's key, like the person's messages: destroying the key also erases them in every
 * copy of the blobs. No two messages share a blob, so an erasure never affects another person's files.
 *
 * The key of a file is derived from the person's key, the message and the hash of the file, and seals nothing else.
 * Sealing the same file again therefore yields the same blob, and a worker that starts over leaves no orphans. The name
 * of a blob is the hash of the sealed bytes, which reveals any alteration.
 */
import { createCipheriv, createDecipheriv, createHmac, type Cipher, type Decipher } from 'node:crypto';

export interface SealedFile {
  readonly personKey: Uint8Array;
  readonly messageUuid: string;
  /** Of the unsealed file, lower-case hex. */
  readonly sha256: string;
}

const ALGORITHM = 'aes-256-ctr';
const BLOCK = 16;
/** Small enough that copying a piece costs nothing noticeable beside the file. */
const PIECE = 1024 * 1024;

/** Seals in place, because files are large. */
export function sealFile(file: SealedFile, bytes: Buffer): void {
  inPlace(createCipheriv(ALGORITHM, fileKey(file), counterAt(0)), bytes);
}

/** Opens bytes `from` (inclusive) to `to` (exclusive) of a sealed file; `sealed` is not modified. */
export function openFile(file: SealedFile, sealed: Uint8Array, from: number, to: number): Buffer {
  const first = Math.floor(from / BLOCK);
  const opened = Buffer.from(sealed.subarray(first * BLOCK, to));
  inPlace(createDecipheriv(ALGORITHM, fileKey(file), counterAt(first)), opened);
  return opened.subarray(from - first * BLOCK);
}

/** The sealed offset to read from, to open a file from byte `from` on: the cipher works in blocks. */
export const sealedStart = (from: number): number => from - (from % BLOCK);

/** Opens a sealed file piece by piece; `sealed` begins at `sealedStart(from)`. */
export async function* openPieces(
  file: SealedFile,
  sealed: AsyncIterable<Uint8Array>,
  from: number,
): AsyncGenerator<Uint8Array> {
  const cipher = createDecipheriv(ALGORITHM, fileKey(file), counterAt(Math.floor(from / BLOCK)));
  let before = from % BLOCK;
  for await (const piece of sealed) {
    const opened = cipher.update(piece);
    const skipped = Math.min(before, opened.length);
    before -= skipped;
    if (opened.length > skipped) yield opened.subarray(skipped);
  }
}

const fileKey = ({ personKey, messageUuid, sha256 }: SealedFile): Buffer =>
  createHmac('sha256', personKey).update(`recado/file/${messageUuid}/${sha256}`).digest();

function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(BLOCK);
  counter.writeBigUInt64BE(BigInt(block), 8);
  return counter;
}

function inPlace(cipher: Cipher | Decipher, bytes: Buffer): void {
  for (let start = 0; start < bytes.length; start += PIECE) {
    cipher.update(bytes.subarray(start, start + PIECE)).copy(bytes, start);
  }
  cipher.final();
}
