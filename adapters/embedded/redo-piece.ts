/**
 * A piece of the redo log: a header of 24 bytes and its content. Length (4, its highest bit: the content is compressed),
 * CRC-32 of all that follows (4), the life (12), number in the life (4). What was cut off in a crash has no valid CRC,
 * and what an earlier life left has another name.
 *
 * Each piece begins a page of the disk, which writes whole pages. Until schema 9 each began where the one before ended.
 */
import { crc32, createDeflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { reusing, type Run } from './reused-engine.js';

/** Bytes of the random name of a life. */
export const LIFE_BYTES = 12;
export const HEADER_BYTES = 24;
const COMPRESSED = 0x8000_0000;
export const PAGE_BYTES = 4_096;
/** A piece that fits in a page gains nothing. */
const WORTH_COMPRESSING = PAGE_BYTES - HEADER_BYTES;
/** Most of what can be gained, in a third of the usual time. */
const FAST = { level: 1, memLevel: 7 };

export interface PieceOf {
  readonly content: Uint8Array;
  readonly life: Uint8Array;
  readonly number: number;
}

/** Pieces as bytes, in memory that is used again: each is valid until the next one is made. */
export function createPieceEncoder(): (piece: PieceOf) => Uint8Array {
  let bytes = Buffer.allocUnsafe(64 * 1024);
  const compress = reusing(
    () => createDeflateRaw(FAST),
    (content) => deflateRawSync(content, FAST),
    Buffer.from('{}'),
  );
  return ({ content, life, number }) => {
    const small = content.length > WORTH_COMPRESSING ? shorter(compress, content) : undefined;
    const stored = small ?? content;
    const length = HEADER_BYTES + stored.length;
    if (bytes.length < length) bytes = Buffer.allocUnsafe(2 * length);
    bytes.writeUInt32LE((stored.length | (small ? COMPRESSED : 0)) >>> 0, 0);
    bytes.set(life, 8);
    bytes.writeUInt32LE(number, 20);
    bytes.set(stored, HEADER_BYTES);
    bytes.writeUInt32LE(crc32(bytes.subarray(8, length)), 4);
    return bytes.subarray(0, length);
  };
}

function shorter(compress: Run, content: Uint8Array): Uint8Array | undefined {
  const small = compress(content);
  return small.length < content.length ? small : undefined;
}

export interface Piece {
  readonly content: Buffer;
  readonly end: number;
}

/** Where the piece after one that ends there begins. */
export const nextPage = (end: number): number => Math.ceil(end / PAGE_BYTES) * PAGE_BYTES;

/** Undefined where no valid piece of this life begins. @param number any when left out */
export function pieceAt(file: Buffer, at: number, life: Buffer, number?: number): Piece | undefined {
  if (at + HEADER_BYTES > file.length) return undefined;
  const size = file.readUInt32LE(at);
  const end = at + HEADER_BYTES + (size & ~COMPRESSED);
  if (end > file.length || file.compare(life, 0, LIFE_BYTES, at + 8, at + 8 + LIFE_BYTES) !== 0)
    return undefined;
  if (number !== undefined && file.readUInt32LE(at + 20) !== number) return undefined;
  if (crc32(file.subarray(at + 8, end)) !== file.readUInt32LE(at + 4)) return undefined;
  const stored = file.subarray(at + HEADER_BYTES, end);
  return { content: (size & COMPRESSED) === 0 ? stored : inflateRawSync(stored), end };
}
