/**
 * Files are kept sealed under the key of the person, like what the person wrote: destroying the key erases them in every
 * copy of the blobs too. No two messages share a blob, so nobody's erasure takes anything from anybody else.
 *
 * The key of a file is made from the person's key, the message and the hash of the file, and seals nothing else. So the
 * same file sealed again is the same blob: a worker that starts over leaves nothing behind. What was altered is found by
 * the name of the blob, which is the hash of what is kept.
 */
import { createCipheriv, createDecipheriv, createHmac, type Cipher, type Decipher } from 'node:crypto';

export interface SealedFile {
  readonly personKey: Uint8Array;
  readonly messageUuid: string;
  /** Lower-case hex, of the file itself. */
  readonly sha256: string;
}

const ALGORITHM = 'aes-256-ctr';
const BLOCK = 16;
/** Small enough that what a copy costs is never noticed beside the file. */
const PIECE = 1024 * 1024;

/** Seals in place: files are large. */
export function sealFile(file: SealedFile, bytes: Buffer): void {
  inPlace(createCipheriv(ALGORITHM, fileKey(file), counterAt(0)), bytes);
}

/** Opens bytes `from` (inclusive) to `to` (exclusive) of what was sealed, without touching it. */
export function openFile(file: SealedFile, sealed: Uint8Array, from: number, to: number): Buffer {
  const first = Math.floor(from / BLOCK);
  const opened = Buffer.from(sealed.subarray(first * BLOCK, to));
  inPlace(createDecipheriv(ALGORITHM, fileKey(file), counterAt(first)), opened);
  return opened.subarray(from - first * BLOCK);
}

/** Where to begin to read what is sealed so that it can be opened from byte `from` on: the cipher works in blocks. */
export const sealedStart = (from: number): number => from - (from % BLOCK);

/** Opens what was sealed piece by piece; `sealed` begins at `sealedStart(from)`. */
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
