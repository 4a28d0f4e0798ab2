/**
 * Durable steps as cheap as they can be had from SQLite with a redo log: all steps that were asked for in one event-loop
 * tick are one write that waits for the disk, then rows of one table, in a transaction that commits once a second.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Database } from '../../adapters/embedded/driver.js';
import { encodeRecord } from '../../adapters/embedded/records.js';
import { openRedoFile } from '../../adapters/embedded/redo-file.js';
import { LIFE_BYTES } from '../../adapters/embedded/redo-piece.js';
import type { NewRecord } from '../../ports/event-store.js';

const COMMIT_MS = 1_000;

export interface BareLog {
  /** Resolves when all of them are durable. An error ends the process. */
  append(stream: string, records: readonly NewRecord[]): Promise<void>;
  close(): void;
}

type Row = readonly [stream: string, eventId: string, type: string, meta: string, data: string];

export function openBareLog(folder: string): BareLog {
  const path = join(folder, 'bare.db');
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(
    'CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, event_id TEXT, type TEXT, meta TEXT, data TEXT)',
  );
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insert = db.prepare('INSERT INTO events (stream, event_id, type, meta, data) VALUES (?, ?, ?, ?, ?)');
  const file = openRedoFile(`${path}-redo`, { slowMs: Infinity });
  let rows: Row[] = [];
  let told: (() => void)[] = [];

  function keep(): void {
    const [group, waiting] = [rows, told];
    [rows, told] = [[], []];
    file.append(Buffer.from(group.map((row) => row.join('\n')).join('\n')), () => undefined);
    if (!db.inTransaction) begin.run();
    for (const row of group) insert.run(...row);
    for (const tell of waiting) tell();
  }

  function settle(): void {
    if (!db.inTransaction) return;
    commit.run();
    file.begin(randomBytes(LIFE_BYTES));
  }

  const settling = setInterval(settle, COMMIT_MS);
  return {
    append(stream, records) {
      if (told.length === 0) setImmediate(keep);
      for (const record of records) {
        const { meta, data } = encodeRecord(record);
        rows.push([stream, record.eventId, record.type, meta, data]);
      }
      return new Promise((resolve) => told.push(resolve));
    },
    close() {
      clearInterval(settling);
      settle();
      file.close(true);
      db.close();
    },
  };
}
