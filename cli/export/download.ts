/**
 * The lines of an export, into a file that only grows by whole lines. What was interrupted goes on behind the last of
 * them: nothing but the file says how far it got.
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
  /** Of the file. */
  readonly bytes: number;
  /** Of the file, hex. */
  readonly sha256: string;
  /** By type. */
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
  /** Of the lines as they pass: reading the file once more would cost as much as receiving it. */
  readonly hash: Hash;
  /** By the bytes of a type's name. */
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

/** Notes the lines that a piece begins with. Answers how many bytes they are. */
function take(tally: Tally, piece: Buffer): number {
  const end = readHeads(piece, (head) => count(tally, head));
  tally.hash.update(piece.subarray(0, end));
  tally.bytes += end;
  return end;
}

/** Counts the lines that are there, and cuts off what is no line. */
async function recover(file: string): Promise<Tally> {
  const hash = createHash('sha256');
  const tally: Tally = { events: 0, bytes: 0, hash, types: new Map(), first: null, last: null };
  try {
    for await (const piece of wholeLines(createReadStream(file, { highWaterMark: 1 << 20 }))) {
      // Where the machine went down in the middle of a write, the file may end in anything.
      if (take(tally, piece) < piece.length) break;
    }
    truncateSync(file, tally.bytes);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return tally;
}

/** True when the last line has come. */
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

/** Of the last line of a server that can't go on. */
function brokenOff(line: string): Failure {
  const body = JSON.parse(line) as { readonly error: { readonly code?: string } };
  return fromAnswer(body.error.code === 'unavailable' ? 503 : 500, body, null);
}
