/**
 * The file of the redo log. Its pieces (redo-piece.ts) are durable when they were appended: the file is opened so that
 * each write waits for the disk. It is written from its beginning in each life, over what the life before left there.
 */
import { closeSync, constants, fdatasyncSync, ftruncateSync, openSync, readFileSync, rmSync } from 'node:fs';
import { codeOf, errorOf } from '../../ports/thrown.js';
import { syncFolderOf, writeAt, writeDurably } from './disk.js';
import { createHandover, ThreadGone, type Written } from './redo-handover.js';
import {
  createPieceEncoder,
  HEADER_BYTES,
  LIFE_BYTES,
  nextPage,
  PAGE_BYTES,
  pieceAt,
  type Piece,
} from './redo-piece.js';

/** The file grows by so much at once: a write that changes its size waits for more than one that does not. */
const GROWTH_BYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(PAGE_BYTES);
/**
 * Where a write usually takes longer, another thread does it. A quick disk is waited for: handing over takes longer then,
 * and the work that follows waits for the next turn of the event loop.
 */
const SLOW_MS = 1;
/**
 * In a crowd the other thread writes from this share of the limit on: it also compresses, and requests that arrive
 * meanwhile share the next write.
 */
const CROWDED_SHARE = 1 / 100;

export interface RedoFile {
  /**
   * True: durable on return. Else the content is being written; it must not change until `later` is called, with an
   * error if nothing was appended. One at a time.
   * @param crowded it is large, or many requests wait for it
   * @throws the file system's errors; nothing was appended then
   */
  append(content: Uint8Array, later: (error: Error | null) => void, crowded?: boolean): boolean;
  /** Waits here for a piece that is being written; its `later` is called before the return. */
  finish(): void;
  /** Where the next piece of this life begins. */
  bytes(): number;
  /** Begins a life: nothing of the one before is read any more. */
  begin(life: Uint8Array): void;
  /** Gives back the disk's blocks, with all that is in them. Only between `begin` and the next `append`. */
  cut(): void;
  /** @param remove the database has all of it */
  close(remove: boolean): void;
}

/** The log has a valid piece behind one that is damaged. The message is a sentence for the operator. */
export class RedoDamaged extends Error {
  override readonly name = 'RedoDamaged';
}

/** @param onThreadGone called when the thread ended by itself; pieces are written in this thread from then on */
export function openRedoFile(
  path: string,
  {
    slowMs = SLOW_MS,
    onThreadGone = () => undefined,
  }: {
    readonly slowMs?: number | undefined;
    readonly onThreadGone?: (reason: Error | undefined) => void;
  } = {},
): RedoFile {
  // Not every system has a write that waits for the disk.
  const waiting = Number(constants.O_DSYNC) || 0;
  const syncs = waiting === 0;
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | waiting, 0o600);
  ftruncateSync(file, 0);
  // A power cut must not take away the name of a file whose content is durable.
  syncFolderOf(path);
  const encode = createPieceEncoder();
  const handover = createHandover({ file, syncs }, onThreadGone);
  let life: Uint8Array = Buffer.alloc(LIFE_BYTES);
  let size = 0;
  let end = 0;
  let number = 0;
  /** Moving average of the last writes. */
  let usualMs = 0;

  function grow(needed: number): void {
    if (size >= needed) return;
    const most = Math.ceil(needed / GROWTH_BYTES) * GROWTH_BYTES;
    // Another descriptor, whose writes wait for the disk only once. Page by page, because Linux keeps in one piece what
    // was written in one, and then takes all of it for changed when a part is.
    const plain = openSync(path, 'r+');
    try {
      for (let at = size; at < most; at += PAGE_BYTES) writeAt(plain, ZEROS, at);
      fdatasyncSync(plain);
    } finally {
      closeSync(plain);
    }
    size = most;
  }

  /** The disk may have a piece whose write failed. A start must not apply it: its callers were refused. */
  function withdraw(): void {
    try {
      if (size > end) writeAt(file, ZEROS.subarray(0, Math.min(HEADER_BYTES, size - end)), end);
    } catch {
      // The next piece is written to the same place.
    }
  }

  function appended(length: number, ms: number): void {
    end = nextPage(end + length);
    number += 1;
    usualMs += (ms - usualMs) / 8;
  }

  function appendHere(content: Uint8Array): void {
    try {
      const piece = encode({ content, life, number });
      appended(piece.length, writeDurably(file, syncs, piece, end));
    } catch (error) {
      withdraw();
      throw error;
    }
  }

  /** @returns the error when nothing was appended */
  function conclude(content: Uint8Array, outcome: Written): Error | null {
    if ('length' in outcome) {
      appended(outcome.length, outcome.ms);
      return null;
    }
    if (!(outcome.error instanceof ThreadGone)) {
      withdraw();
      return outcome.error;
    }
    try {
      appendHere(content);
      return null;
    } catch (error) {
      return errorOf(error);
    }
  }

  return {
    append(content, later, crowded = false) {
      grow(end + HEADER_BYTES + content.length);
      const written = (outcome: Written): void => later(conclude(content, outcome));
      const isSlow = usualMs >= slowMs * (crowded ? CROWDED_SHARE : 1);
      if (isSlow && handover.give({ content, life, number }, end, written)) return false;
      appendHere(content);
      return true;
    },
    finish: () => handover.finish(),
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
      handover.finish();
      handover.close();
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
  const following = (): Piece | undefined =>
    pieceAt(file, at, life, pieces.length) ?? pieceAt(file, nextPage(at), life, pieces.length);
  for (let piece = following(); piece; piece = following()) {
    pieces.push(piece.content);
    at = piece.end;
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

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
