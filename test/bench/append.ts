/**
 * Durable appends to the embedded store with 1, 8 and 64 in flight, beside bare SQLite with the same settings, which
 * commits as many rows together as are in flight. Then the same with 20 events read before each append.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { Database } from '../../adapters/embedded/driver.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { record } from '../conformance/support.js';
import type { Stack } from './stack.js';
import { median } from './statistics.js';

const APPENDS = Number(process.env['BENCH_APPENDS'] ?? 4_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const IN_FLIGHT = [1, 8, 64];
const HISTORY = 20;
const BAR = 0.5;
const TEXT = 'x'.repeat(500);

interface Way {
  /** Appends so many events, with so many in flight. */
  append(count: number, inFlight: number): Promise<void>;
  /** The same; reads 20 events of a stream before each append. */
  readAndAppend(count: number, inFlight: number): Promise<void>;
  close(): Promise<void>;
}

export async function benchAppend(stack: Stack): Promise<void> {
  if (stack.kind === 'real') {
    console.log('bench append: measures the embedded store; bench append-stream measures EventStoreDB');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'recado-append-'));
  const own = await openOwn(join(folder, 'own'));
  const bare = openBare(join(folder, 'bare.db'));
  try {
    console.log(`bench append: ${APPENDS} appends each way and round, ${ROUNDS} rounds in turns`);
    for (const work of ['append', 'readAndAppend'] as const) {
      for (const inFlight of IN_FLIGHT) await compare(own, bare, work, inFlight);
    }
  } finally {
    await Promise.all([own.close(), bare.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(
  own: Way,
  bare: Way,
  work: 'append' | 'readAndAppend',
  inFlight: number,
): Promise<void> {
  for (const way of [own, bare]) await way[work](APPENDS / 4, inFlight);
  const owns: number[] = [];
  const bares: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    owns.push(await perSecond(() => own[work](APPENDS, inFlight)));
    bares.push(await perSecond(() => bare[work](APPENDS, inFlight)));
  }
  const ratio = median(owns.map((one, round) => one / bares[round]!));
  console.log(
    `  ${work === 'append' ? 'append' : `read ${HISTORY}, append`}, ${inFlight} in flight: ` +
      `${median(owns).toFixed(0)}/s, bare ${median(bares).toFixed(0)}/s, ratio ${ratio.toFixed(2)} (bar ≥ ${BAR})`,
  );
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (APPENDS * 1000) / (performance.now() - begun);
}

async function openOwn(dataDir: string): Promise<Way> {
  const embedded = await openEmbedded({ dataDir, secretBox: createSecretBox(randomBytes(32)) });
  const { eventStore } = embedded;
  const histories: string[] = [];
  for (let n = 0; n < Math.max(...IN_FLIGHT); n += 1) {
    const stream = `history-${randomUUID()}`;
    await eventStore.append(
      stream,
      'no_stream',
      Array.from({ length: HISTORY }, () => record({ text: TEXT })),
    );
    histories.push(stream);
  }
  const spread = async (count: number, inFlight: number, before: (writer: number) => Promise<unknown>) => {
    let left = count;
    const write = async (writer: number): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await before(writer);
        await eventStore.append(`bench-${randomUUID()}`, 'no_stream', [record({ text: TEXT })]);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, (_none, writer) => write(writer)));
  };
  return {
    append: (count, inFlight) => spread(count, inFlight, () => Promise.resolve()),
    readAndAppend: (count, inFlight) =>
      spread(count, inFlight, (writer) => eventStore.read(histories[writer]!)),
    close: () => embedded.close(),
  };
}

function openBare(path: string): Way {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(
    `CREATE TABLE events (position INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, revision INTEGER NOT NULL,
       event_id TEXT NOT NULL, type TEXT NOT NULL, meta TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (stream, revision))`,
  );
  const insert = db.prepare(
    'INSERT INTO events (stream, revision, event_id, type, meta, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const read = db.prepare<unknown[], { readonly meta: string; readonly data: string }>(
    'SELECT * FROM events WHERE stream = ? ORDER BY revision',
  );
  const put = (stream: string, revision: number): void => {
    const { eventId, type, meta, data } = record({ text: TEXT });
    insert.run(stream, revision, eventId, type, JSON.stringify(meta), JSON.stringify(data));
  };
  const history = `history-${randomUUID()}`;
  for (let revision = 0; revision < HISTORY; revision += 1) put(history, revision);
  const inTransactions = (count: number, together: number, before: () => void): Promise<void> => {
    const commit = db.transaction(() => {
      for (let n = 0; n < together; n += 1) {
        before();
        put(`bench-${randomUUID()}`, 0);
      }
    });
    for (let done = 0; done < count; done += together) commit.immediate();
    return Promise.resolve();
  };
  const load = (): void => {
    for (const { meta, data } of read.iterate(history)) {
      JSON.parse(meta);
      JSON.parse(data);
    }
  };
  return {
    append: (count, inFlight) => inTransactions(count, inFlight, () => undefined),
    readAndAppend: (count, inFlight) => inTransactions(count, inFlight, load),
    close() {
      db.close();
      return Promise.resolve();
    },
  };
}
