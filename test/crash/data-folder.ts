/** The data folder from outside: observed while the product runs, then read and rebuilt after it has ended. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../adapters/embedded/database.js';
import { Database, type Db } from '../../adapters/embedded/driver.js';
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { unpack, type Stored } from '../../adapters/embedded/packing.js';
import { createCodec, type EventCodec, type RecordedEvent } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { START, type EventStore } from '../../ports/event-store.js';
import type { ErasureDoc } from '../../read-models/erasures.js';
import { projections } from '../../projections/catalog.js';
import { checkpointName } from '../../projections/projection.js';
import { catchUp } from '../../projections/runner.js';
import { filesWith } from '../support/files-with.js';

/** Work that is left: rows of the due-time store by queue, and unconsumed messages by topic. */
export function waitingWork(dataDir: string): Readonly<Record<string, number>> {
  const db = new Database(join(dataDir, 'recado.db'), { readonly: true, timeout: 5000 });
  try {
    const due = db.prepare('SELECT queue AS name, count(*) AS n FROM due_entries GROUP BY queue').all();
    const topics = db
      .prepare(
        `SELECT m.topic AS name, count(*) AS n FROM topic_messages m JOIN topic_groups g ON g.topic = m.topic
         WHERE m."offset" > g."offset" GROUP BY m.topic`,
      )
      .all();
    return Object.fromEntries(
      ([...due, ...topics] as { name: string; n: number }[]).map(({ name, n }) => [name, n]),
    );
  } finally {
    db.close();
  }
}

/** Projections of which not every document is in its table: those that follow are in memory for some seconds. */
export function unwrittenProjections(dataDir: string): readonly string[] {
  const db = new Database(join(dataDir, 'recado.db'), { readonly: true, timeout: 5000 });
  try {
    const behind = db.prepare(
      `SELECT projection FROM checkpoints WHERE position <
         (SELECT printf('%020d', max(position)) FROM events) ORDER BY projection`,
    );
    const names = new Set(projections.map(checkpointName));
    return (behind.pluck().all() as string[]).filter((name) => names.has(name));
  } finally {
    db.close();
  }
}

/** Number of erasures that have not completed. */
export function openErasures(dataDir: string): number {
  const db = new Database(join(dataDir, 'recado.db'), { readonly: true, timeout: 5000 });
  try {
    return (rows(db, 'rm_erasures_v1') as unknown as readonly ErasureDoc[]).filter(
      ({ shelf }) => shelf === 'open',
    ).length;
  } finally {
    db.close();
  }
}

/** Every document with its version, including removed ones: `<collection> <id>` → JSON text. */
export type Documents = ReadonlyMap<string, string>;

export interface DataFolder {
  readonly integrity: readonly string[];
  readonly events: readonly RecordedEvent[];
  /** As the product left them. */
  readonly documents: Documents;
  /** The same projections over the same history, rebuilt from the start. */
  readonly rebuilt: Documents;
  readonly deliveries: readonly { readonly event_id: string; readonly status: string }[];
  readonly parkedMessages: number;
  /** Returns the files that contain a word. */
  readonly filesWith: (word: string) => readonly string[];
}

const REBUILT = 1_000_000;
const PAGE = 1_000;

/** Works on a copy; the folder itself is not changed. The product must have ended. */
export async function readDataFolder(dataDir: string, copyDir: string): Promise<DataFolder> {
  mkdirSync(copyDir, { recursive: true });
  const redo = existsSync(join(dataDir, 'recado.db-redo')) ? ['recado.db-redo'] : [];
  for (const file of ['recado.db', 'recado.db-wal', ...redo, 'master.key']) {
    cpSync(join(dataDir, file), join(copyDir, file), { force: true, errorOnExist: false });
  }
  // As a start does: it applies the redo log.
  const db = openDatabase(join(copyDir, 'recado.db'));
  const integrity = (db.pragma('integrity_check') as { integrity_check: string }[]).map(
    (row) => row.integrity_check,
  );
  const documents = dump(db, 0);
  const deliveries = rows(db, 'rm_deliveries_v1') as unknown as DataFolder['deliveries'];
  const parkedMessages = rows(db, 'rm_parked_messages_v1').length;
  db.close();

  const { key } = loadMasterKey({ dataDir: copyDir });
  const embedded = await openEmbedded({ dataDir: copyDir, secretBox: createSecretBox(key) });
  const codec = createCodec(createRegistry(), embedded.personalKeys);
  const events = await wholeHistory(embedded.eventStore, codec);
  for (const projection of projections) {
    const again = { ...projection, version: projection.version + REBUILT };
    await catchUp(again, { store: embedded.eventStore, readModels: embedded.readModels, codec });
  }
  await embedded.close();
  const after = new Database(join(copyDir, 'recado.db'), { readonly: true });
  const rebuilt = dump(after, REBUILT);
  after.close();
  return {
    integrity,
    events,
    documents,
    rebuilt,
    deliveries,
    parkedMessages,
    filesWith: (word) => filesWith(dataDir, [word]),
  };
}

export async function wholeHistory(store: EventStore, codec: EventCodec): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let after = START, atEnd = false; !atEnd;) {
    const page = await store.readAll({ after, limit: PAGE });
    events.push(...(await codec.decodeAll(page.records)));
    after = page.next;
    atEnd = page.atEnd;
  }
  return events;
}

/** Every document of every projection, in the version that is `versionOffset` above the current one. */
export function dump(db: Db, versionOffset: number): Documents {
  const found = new Map<string, string>();
  for (const { name, version } of projections) {
    const table = db.prepare(`SELECT id, version, doc FROM rm_${name}_v${version + versionOffset}`).all();
    for (const row of table as { id: string; version: string; doc: string | null }[]) {
      found.set(`${name} ${row.id}`, `${row.version} ${row.doc === null ? 'removed' : sorted(row.doc)}`);
    }
  }
  return found;
}

/** Sorts the fields of a document, because their order may differ between two ways of computing it. */
export const sorted = (text: string): string =>
  JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

function rows(db: Db, table: string): readonly Record<string, unknown>[] {
  const docs = db.prepare(`SELECT doc FROM ${table} WHERE doc IS NOT NULL`).pluck().all() as Stored[];
  return docs.map((doc) => JSON.parse(unpack(doc)) as Record<string, unknown>);
}
