/**
 * Downloads the lines of an export into a file that grows only by whole lines. An interrupted download resumes after
 * the last line: only the file itself records the progress.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, truncateSync } from 'node:fs';
import { codeOf } from '../../ports/thrown.js';
import type { Clock } from '../../ports/clock.js';
import { pause } from '../../ports/waiting.js';
import type { Client, Query } from '../client.js';
import { EXIT, Failure, fromAnswer } from '../failure.js';
import { writeAll } from '../files.js';
import { readHeads, wholeLines, type LineHead } from './lines.js';

export interface Downloaded {
  readonly events: number;
  /** Size of the file. */
  readonly bytes: number;
  /** Hash of the file, hex. */
  readonly sha256: string;
  /** Number of events by type. */
  readonly types: ReadonlyMap<string, number>;
  readonly first: string | null;
  readonly last: string | null;
}

export interface Download {
  readonly client: Client;
  readonly clock: Clock;
  readonly path: string;
  /** Without `from`. */
  readonly query: Query;
  /** Position before the first line, exclusive. */
  readonly after: string | null;
  /** All lines are in the file: they are only counted. */
  readonly complete: boolean;
  readonly file: string;
  readonly onProgress: (events: number) => void;
  readonly onTrouble: (message: string) => void;
}

/** Connections that may break in a row, without a line received between them. */
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;

/** @throws Failure when the server refuses, or stays unreachable */
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
        await pause(wanted.clock, FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  const types = new Map([...tally.types].map(([type, n]) => [Buffer.from(type, 'latin1').toString(), n]));
  return { ...tally, types, sha256: tally.hash.digest('hex') };
}

interface Tally {
  events: number;
  bytes: number;
  /** Computed as the lines pass: reading the file again would cost as much as receiving it. */
  readonly hash: Hash;
  /** Keyed by the bytes of a type's name. */
  readonly types: Map<string, number>;
  first: string | null;
  last: string | null;
}

function count(tally: Tally, { position, type }: LineHead): void {
  tally.events += 1;
  tally.types.set(type, (tally.types.get(type) ?? 0) + 1);
  tally.first ??= position;
  tally.last = position;
}

/** Counts the event lines at the start of a chunk. Returns their size in bytes. */
function take(tally: Tally, piece: Buffer): number {
  const end = readHeads(piece, (head) => count(tally, head));
  tally.hash.update(piece.subarray(0, end));
  tally.bytes += end;
  return end;
}

/** Counts the lines in the file, and truncates it after the last whole event line. */
async function recover(file: string): Promise<Tally> {
  const hash = createHash('sha256');
  const tally: Tally = { events: 0, bytes: 0, hash, types: new Map(), first: null, last: null };
  try {
    for await (const piece of wholeLines(createReadStream(file, { highWaterMark: 1 << 20 }))) {
      // If the machine crashed during a write, the file may end in any bytes.
      if (take(tally, piece) < piece.length) break;
    }
    truncateSync(file, tally.bytes);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return tally;
}

/** Returns true once the final line of the stream has arrived. */
async function receive(wanted: Download, fd: number, tally: Tally): Promise<boolean> {
  const { client, path, query, after, onProgress } = wanted;
  const from = tally.last ?? after ?? undefined;
  for await (const piece of wholeLines(client.stream(path, { ...query, from }))) {
    const end = take(tally, piece);
    writeAll(fd, piece.subarray(0, end));
    onProgress(tally.events);
    if (end === piece.length) continue;
    if (piece.indexOf(END, end) === end) return true;
    if (piece.indexOf(ERROR, end) === end) throw brokenOff(piece.toString('utf8', end));
    throw new Failure(EXIT.failed, 'The server sent a line that is no event.');
  }
  return false;
}

const END = '{"end":';
const ERROR = '{"error":';

/** Builds a failure from the last line of a server that cannot continue. */
function brokenOff(line: string): Failure {
  const body = JSON.parse(line) as { readonly error: { readonly code?: string } };
  return fromAnswer(body.error.code === 'unavailable' ? 503 : 500, body, null);
}
