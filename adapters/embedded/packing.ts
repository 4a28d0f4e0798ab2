/**
 * Documents as they are in the file: text, or compressed by zlib with a preset dictionary, whose checksum is in the
 * stream's head (RFC 1950). Rows of either kind may stand in one table: those that an earlier release wrote are text.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { STORED_TEXTS } from '../../ports/stored-texts.js';

export type Stored = string | Buffer;

/** Offsets in the stream's head: two bytes of method and flags, then the dictionary's checksum. */
const CHECKSUM_AT = 2;
const HEAD_BYTES = 6;

/** A small window and little memory: setting up the compressor costs more than a few kilobytes of text. */
const PACKING = { level: 6, memLevel: 5, windowBits: 13, chunkSize: 2_048 } as const;
const UNPACKING = { chunkSize: 8_192 } as const;

const DICTIONARIES: ReadonlyMap<number, Buffer> = new Map(
  STORED_TEXTS.map((text) => {
    const dictionary = Buffer.from(text);
    return [deflateSync('', { dictionary }).readUInt32BE(CHECKSUM_AT), dictionary];
  }),
);
const NEWEST = Buffer.from(STORED_TEXTS.at(-1) ?? '');

export const pack = (text: string): Buffer => deflateSync(text, { ...PACKING, dictionary: NEWEST });

/** The document's text. A damaged one is a text that is no JSON. */
export function unpack(stored: Stored): string {
  if (typeof stored === 'string') return stored;
  const dictionary =
    stored.length < HEAD_BYTES ? undefined : DICTIONARIES.get(stored.readUInt32BE(CHECKSUM_AT));
  if (!dictionary) return '';
  try {
    return inflateSync(stored, { ...UNPACKING, dictionary }).toString();
  } catch {
    return '';
  }
}
