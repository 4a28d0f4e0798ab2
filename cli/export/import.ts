/** Imports an exact export: keys first, then the events in batches, starting where the server says that it is. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { maybe, number, text } from '../answer.js';
import type { Resource } from '../client.js';
import { usage } from '../failure.js';
import { retryUnreachable } from '../retry-unreachable.js';
import { progressBar } from '../progress-bar.js';
import { counted } from '../readable.js';
import type { Session } from '../session.js';
import { headOf, linesOf, wholeLines } from './lines.js';
import type { Manifest } from './manifest.js';

/** The most events that the contract allows, and the most bytes that a request may hold, with room for escapes. */
const BATCH_LINES = 500;
const BATCH_BYTES = 700_000;
const KEY_BATCH = 500;
const PATIENCE = { attempts: 8, firstPauseMs: 500 };

/** @throws Failure; repeating the call resumes the import */
export async function importHistory(session: Session, folder: string, manifest: Manifest): Promise<void> {
  const [events, keys] = ['events.ndjson', 'keys.ndjson'].map((name) =>
    manifest.files.find((file) => file.name === name),
  );
  if (!events || !keys || manifest.master_key_proof === undefined) {
    throw usage(`The manifest of ${folder} lacks what an exact export has.`);
  }
  const begin = await post(session, '', {
    sha256: events.sha256,
    events: manifest.events,
    keys: keys.rows,
    last: manifest.positions.last,
    master_key_proof: manifest.master_key_proof,
  });
  const done = maybe(begin['source_position'], text);
  if (done === null) await sendKeys(session, join(folder, keys.name));
  else session.say(`Resuming after ${counted(number(begin['imported']), 'event')}.`);
  await sendEvents(session, join(folder, events.name), manifest.events, done);
  await post(session, '/complete');
}

async function sendKeys(session: Session, file: string): Promise<void> {
  let batch: unknown[] = [];
  const send = async (): Promise<void> => {
    if (batch.length > 0) await post(session, '/keys', { keys: batch });
    batch = [];
  };
  for await (const piece of wholeLines(createReadStream(file))) {
    for (const line of linesOf(piece)) {
      batch.push(JSON.parse(line));
      if (batch.length === KEY_BATCH) await send();
    }
  }
  await send();
}

async function sendEvents(
  session: Session,
  file: string,
  expected: number,
  done: string | null,
): Promise<void> {
  const bar = progressBar(session.io);
  let batch: string[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { imported } = await post(session, '/events', { lines: batch });
    bar.show(number(imported), expected);
    [batch, bytes] = [[], 0];
  };
  try {
    for await (const piece of wholeLines(createReadStream(file, { highWaterMark: 1 << 18 }))) {
      for (const line of linesOf(piece)) {
        const head = headOf(line);
        if (head === null) throw usage(`${file} holds a line that is no event.`);
        if (done !== null && head.position <= done) continue;
        // In a request, every quotation mark is escaped once more.
        const size = Buffer.byteLength(JSON.stringify(line));
        if (batch.length === BATCH_LINES || bytes + size > BATCH_BYTES) await send();
        batch.push(line);
        bytes += size;
      }
    }
    await send();
  } finally {
    bar.clear();
  }
}

/** Each step may be repeated. */
const post = (session: Session, path: string, body?: object): Promise<Resource> =>
  retryUnreachable(session, PATIENCE, () => session.client.send('POST', `/events/import${path}`, body));
