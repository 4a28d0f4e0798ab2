/** Makes all tables of an export from its lines, in memory that does not grow with them. */
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { usage } from '../failure.js';
import { openCsv } from './csv.js';
import { linesOf, wholeLines } from './lines.js';
import { openParquet } from './parquet.js';
import { EVENTS, tableOf, valueOf, type EventType, type ExportedEvent, type Table } from './tables.js';
import type { TableFile } from './table-file.js';

export interface WrittenFile {
  /** Relative to the export's folder. */
  readonly name: string;
  readonly rows: number;
}

const WRITERS = { csv: openCsv, parquet: openParquet };

/** Most rows that wait in all tables together. Then the table with the most waiting rows is written. */
const WAITING = 40_000;
/** A table with this many waiting rows is always written, as a row group. */
const GROUP = 20_000;

interface Open {
  readonly table: Table;
  readonly file: TableFile;
  readonly name: string;
  rows: unknown[][];
  written: number;
}

/** The same lines give the same bytes. Existing table files are overwritten. */
export async function writeTables(of: {
  readonly folder: string;
  readonly lines: string;
  readonly format: keyof typeof WRITERS;
  readonly catalogue: readonly EventType[];
  /** Requested types; null for all. Each has a table, even without rows, so that a query over it works. */
  readonly types: readonly string[] | null;
  readonly personal: boolean;
  readonly onProgress: (events: number) => void;
}): Promise<readonly WrittenFile[]> {
  const { folder, format, catalogue, personal } = of;
  rmSync(join(folder, 'types'), { recursive: true, force: true });
  mkdirSync(join(folder, 'types'), { mode: 0o700 });
  const tables = new Map<string, Open>();
  let waiting = 0;
  let events = 0;

  async function tableNamed(key: string, make: () => Table): Promise<Open> {
    const known = tables.get(key);
    if (known) return known;
    const table = make();
    const name = `${table.name}.${format}`;
    const opened = {
      table,
      name,
      file: await WRITERS[format](join(folder, name), table),
      rows: [],
      written: 0,
    };
    tables.set(key, opened);
    return opened;
  }

  const typeNamed = (type: string): Promise<Open> =>
    tableNamed(type, () => tableOf(safe(type), catalogue, personal));

  async function add(open: Open, event: ExportedEvent): Promise<void> {
    open.rows.push(open.table.columns.map(({ kind, of: value }) => valueOf(kind, value(event))));
    waiting += 1;
    if (open.rows.length >= GROUP) return flush(open);
    if (waiting < WAITING) return;
    let fullest = open;
    for (const other of tables.values()) if (other.rows.length > fullest.rows.length) fullest = other;
    await flush(fullest);
  }

  async function flush(open: Open): Promise<void> {
    const { rows } = open;
    if (rows.length === 0) return;
    open.rows = [];
    open.written += rows.length;
    waiting -= rows.length;
    await open.file.write(rows);
  }

  try {
    await tableNamed('', () => EVENTS);
    for (const { type } of catalogue) {
      if (of.types === null || of.types.includes(type)) await typeNamed(type);
    }
    for await (const piece of wholeLines(createReadStream(of.lines, { highWaterMark: 1 << 18 }))) {
      for (const line of linesOf(piece)) {
        const event = JSON.parse(line) as ExportedEvent;
        await add(tables.get('')!, event);
        await add(await typeNamed(event.type), event);
        events += 1;
      }
      of.onProgress(events);
    }
    for (const open of tables.values()) {
      await flush(open);
      await open.file.close();
    }
  } catch (error) {
    await Promise.allSettled([...tables.values()].map(({ file }) => file.abandon()));
    throw error;
  }
  return [...tables.values()].map(({ name, written }) => ({ name, rows: written }));
}

/** Event types are used as file names. */
function safe(type: string): string {
  if (/^[A-Za-z][A-Za-z0-9]*$/.test(type)) return type;
  throw usage(`The server named an event type ${JSON.stringify(type)}, which can't name a file.`);
}
