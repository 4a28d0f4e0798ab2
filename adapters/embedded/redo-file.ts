/**
 * The file of the redo log. A piece is durable when `append` returns: the file is opened so that each write waits for
 * the disk. It is written from its beginning in each life, over what the life before left there.
 *
 * A piece is a header of 24 bytes and its content: length (4), CRC-32 of all that follows (4), the life (12), number in
 * the life (4). What was cut off in a crash has no valid CRC, and what an earlier life left has another name.
 */
import {
  closeSync,
  constants,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { codeOf } from '../../ports/thrown.js';
import { syncFolderOf } from './disk.js';

/** Bytes of the random name of a life. */
export const LIFE_BYTES = 12;
const HEADER_BYTES = 24;
/** The file grows by so much at once: a write that changes its size waits for more than one that does not. */
const GROWTH_BYTES = 1024 * 1024;
const PAGE_BYTES = 4_096;
const ZEROS = Buffer.alloc(PAGE_BYTES);

export interface RedoFile {
  /**
   * Durable when it returns.
   * @throws the file system's errors; nothing was appended then
   */
  append(content: Uint8Array): void;
  /** Bytes of this life. */
  bytes(): number;
  /** Begins a life: nothing of the one before is read any more. */
  begin(life: Uint8Array): void;
  /** Gives back the disk's blocks, with all that is in them. Only between `begin` and the next `append`. */
  cut(): void;
  /** @param remove the database has all of it */
  close(remove: boolean): void;
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** The log has a valid piece behind one that is damaged. The message is a sentence for the operator. */
export class RedoDamaged extends Error {
  override readonly name = 'RedoDamaged';
}

export function openRedoFile(path: string): RedoFile {
  // Not every system has a write that waits for the disk.
  const waiting = Number(constants.O_DSYNC) || 0;
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | waiting, 0o600);
  ftruncateSync(file, 0);
  // A power cut must not take away the name of a file whose content is durable.
  syncFolderOf(path);
  let life: Uint8Array = Buffer.alloc(LIFE_BYTES);
  let size = 0;
  let end = 0;
  let number = 0;
  let piece = Buffer.allocUnsafe(GROWTH_BYTES);

  function grow(needed: number): void {
    if (size >= needed) return;
    const most = Math.ceil(needed / GROWTH_BYTES) * GROWTH_BYTES;
    // Another descriptor, whose writes wait for the disk only once. Page by page, because Linux keeps in one piece what
    // was written in one, and then takes all of it for changed when a part is.
    const plain = openSync(path, 'r+');
    try {
      for (let at = size; at < most; at += PAGE_BYTES) writeAll(plain, ZEROS, at);
      fdatasyncSync(plain);
    } finally {
      closeSync(plain);
    }
    size = most;
  }

  /** The disk may have a piece whose write failed. A start must not apply it: its callers were refused. */
  function withdraw(): void {
    try {
      if (size > end) writeAll(file, ZEROS.subarray(0, Math.min(HEADER_BYTES, size - end)), end);
    } catch {
      // The next piece is written to the same place.
    }
  }

  return {
    append(content) {
      const length = HEADER_BYTES + content.length;
      if (piece.length < length) piece = Buffer.allocUnsafe(2 * length);
      piece.writeUInt32LE(content.length, 0);
      piece.set(life, 8);
      piece.writeUInt32LE(number, 20);
      piece.set(content, HEADER_BYTES);
      piece.writeUInt32LE(crc32(piece.subarray(8, length)), 4);
      try {
        grow(end + length);
        writeAll(file, piece.subarray(0, length), end);
        if (waiting === 0) fdatasyncSync(file);
      } catch (error) {
        withdraw();
        throw error;
      }
      end += length;
      number += 1;
    },
    bytes: () => end,
    begin(next) {
      life = next;
      end = 0;
      number = 0;
    },
    cut() {
      ftruncateSync(file, 0);
      size = 0;
    },
    close(remove) {
      closeSync(file);
      if (remove) rmSync(path, { force: true });
    },
  };
}

/**
 * The pieces of a life, in order. A last one that was cut off is left out: nobody was told that it is durable.
 * @throws RedoDamaged
 */
export function piecesOf(path: string, life: Buffer): readonly Buffer[] {
  const file = contentOf(path);
  const pieces: Buffer[] = [];
  let at = 0;
  for (let piece = pieceAt(file, at, life, 0); piece; piece = pieceAt(file, at, life, pieces.length)) {
    pieces.push(piece);
    at += HEADER_BYTES + piece.length;
  }
  for (let later = file.indexOf(life, at + 9); later >= 0; later = file.indexOf(life, later + 1)) {
    const begins = later - 8;
    if (begins + HEADER_BYTES > file.length || !pieceAt(file, begins, life)) continue;
    throw new RedoDamaged(
      `${path} is damaged: what begins at byte ${at} can't be read, and more follows at byte ${begins}. ` +
        'Without it, accepted messages would be missing.',
    );
  }
  return pieces;
}

/** Undefined where no valid piece of this life begins. @param number any when left out */
function pieceAt(file: Buffer, at: number, life: Buffer, number?: number): Buffer | undefined {
  if (at + HEADER_BYTES > file.length) return undefined;
  const end = at + HEADER_BYTES + file.readUInt32LE(at);
  if (end > file.length || file.compare(life, 0, LIFE_BYTES, at + 8, at + 8 + LIFE_BYTES) !== 0)
    return undefined;
  if (number !== undefined && file.readUInt32LE(at + 20) !== number) return undefined;
  return crc32(file.subarray(at + 8, end)) === file.readUInt32LE(at + 4)
    ? file.subarray(at + HEADER_BYTES, end)
    : undefined;
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
