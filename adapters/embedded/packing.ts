/**
 * Documents as they are in the file: text, or compressed by zlib with a preset dictionary, whose checksum is in the
 * stream's head (RFC 1950). Rows of either kind may stand in one table: those that an earlier release wrote are text.
 */
import { createDeflate, createInflate, deflateSync, inflateSync } from 'node:zlib';
import { STORED_TEXTS } from '../../ports/stored-texts.js';
import { reusing, type Run } from './reused-engine.js';

export type Stored = string | Buffer;

/** Offsets in the stream's head: two bytes of method and flags, then the dictionary's checksum. */
const CHECKSUM_AT = 2;
const HEAD_BYTES = 6;

/** A small window and little memory: each document begins with clearing them. */
const PACKING = { level: 6, memLevel: 5, windowBits: 13, chunkSize: 2_048 } as const;
const UNPACKING = { chunkSize: 8_192 } as const;

const NEWEST = { ...PACKING, dictionary: Buffer.from(STORED_TEXTS.at(-1) ?? '') };
const SAMPLE = Buffer.from('{}');

const packed = reusing(
  () => createDeflate(NEWEST),
  (text) => deflateSync(text, NEWEST),
  SAMPLE,
);

/** By the checksum of the dictionary. */
const UNPACKED: ReadonlyMap<number, Run> = new Map(
  STORED_TEXTS.map((text) => {
    const options = { ...UNPACKING, dictionary: Buffer.from(text) };
    const sample = deflateSync(SAMPLE, options);
    const run = reusing(
      () => createInflate(options),
      (bytes) => inflateSync(bytes, options),
      sample,
    );
    return [sample.readUInt32BE(CHECKSUM_AT), run];
  }),
);

export const pack = (text: string): Buffer => Buffer.from(packed(Buffer.from(text)));

/** The document's text. A damaged one is a text that is no JSON. */
export function unpack(stored: Stored): string {
  if (typeof stored === 'string') return stored;
  const unpacked = stored.length < HEAD_BYTES ? undefined : UNPACKED.get(stored.readUInt32BE(CHECKSUM_AT));
  try {
    return unpacked?.(stored).toString() ?? '';
  } catch {
    return '';
  }
}
