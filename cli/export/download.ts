/**
 * The lines of an export, into a file that only grows by whole lines. What was interrupted goes on behind the last of
 * them: nothing but the file says how far it got.
 */
import { closeSync, createReadStream, fsyncSync, openSync, truncateSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Query } from '../client.js';
import { EXIT, Failure } from '../failure.js';
import { writeAll } from '../files.js';
import { headOf, linesOf, wholeLines } from './lines.js';

export interface Downloaded {
  readonly events: number;
  /** By type. */
  readonly types: ReadonlyMap<string, number>;
  readonly first: string | null;
  readonly last: string | null;
}

export interface Download {
  readonly client: Client;
  readonly path: string;
  /** Without `from`. */
  readonly query: Query;
  /** Position that the first line comes behind. */
  readonly after: string | null;
  /** All lines are there: they are only counted. */
  readonly complete: boolean;
  readonly file: string;
  readonly onProgress: (events: number) => void;
  readonly onTrouble: (message: string) => void;
}

/** Broken connections in a row, without a line between them. */
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;

/** @throws Failure when the server refuses, or does not come back */
export async function download(wanted: Download): Promise<Downloaded> {
  const tally = await recover(wanted.file);
  wanted.onProgress(tally.events);
  const fd = openSync(wanted.file, 'a', 0o600);
  try {
    for (let attempt = 0; !wanted.complete; attempt += 1) {
      const before = tally.events;
      try {
        if (await receive(wanted, fd, tally)) break;
        throw new Failure(EXIT.unreachable, 'The connection was cut before the last line.');
      } catch (error) {
        const worth = error instanceof Failure && error.exitCode === EXIT.unreachable;
        if (tally.events > before) attempt = 0;
        if (!worth || attempt + 1 >= ATTEMPTS) throw error;
        wanted.onTrouble(`${error.message} Trying again.`);
        await pause(FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return tally;
}

interface Tally extends Downloaded {
  events: number;
  readonly types: Map<string, number>;
  first: string | null;
  last: string | null;
}

function count(tally: Tally, { position, type }: { readonly position: string; readonly type: string }): void {
  tally.events += 1;
  tally.types.set(type, (tally.types.get(type) ?? 0) + 1);
  tally.first ??= position;
  tally.last = position;
}

/** Counts the lines that are there, and cuts off what is no line. */
async function recover(file: string): Promise<Tally> {
  const tally: Tally = { events: 0, types: new Map(), first: null, last: null };
  let good = 0;
  try {
    scan: for await (const piece of wholeLines(createReadStream(file, { highWaterMark: 1 << 20 }))) {
      for (const line of linesOf(piece)) {
        const head = headOf(line);
        // Where the machine went down in the middle of a write, the file may end in anything.
        if (head === null) break scan;
        count(tally, head);
        good += Buffer.byteLength(line) + 1;
      }
    }
    truncateSync(file, good);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return tally;
}

/** True when the last line has come. */
async function receive(wanted: Download, fd: number, tally: Tally): Promise<boolean> {
  const { client, path, query, after, onProgress } = wanted;
  const from = tally.last ?? after ?? undefined;
  for await (const piece of wholeLines(client.stream(path, { ...query, from }))) {
    let end = piece.length;
    let done = false;
    let at = 0;
    for (const line of linesOf(piece)) {
      const head = headOf(line);
      if (head === null) {
        if (!isEnd(line)) throw new Failure(EXIT.failed, 'The server sent a line that is no event.');
        [end, done] = [at, true];
        break;
      }
      count(tally, head);
      at += Buffer.byteLength(line) + 1;
    }
    writeAll(fd, piece.subarray(0, end));
    onProgress(tally.events);
    if (done) return true;
  }
  return false;
}

const isEnd = (line: string): boolean => line.startsWith('{"end":');
