/**
 * Writes Parquet as a stream: rows wait until they fill a row group, which is then written. Timestamps are TIMESTAMP
 * (UTC), integers (and so money, in cents) BIGINT, objects and arrays JSON.
 */
import { open } from 'node:fs/promises';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { BasicType } from 'hyparquet-writer';
import type { TableFile } from './table-file.js';
import type { FieldKind, Table } from './tables.js';

const TYPES: Readonly<Record<FieldKind, BasicType>> = {
  string: 'STRING',
  uuid: 'STRING',
  timestamp: 'TIMESTAMP',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  json: 'JSON',
};

export async function openParquet(path: string, { columns }: Table): Promise<TableFile> {
  const file = await open(path, 'w', 0o600);
  const bytes = new ByteWriter();
  const flush = async (): Promise<void> => {
    await file.appendFile(new Uint8Array(bytes.buffer, 0, bytes.index));
    bytes.index = 0;
  };
  const sink = Object.assign(bytes, { flush, finish: () => undefined });
  const empty = columns.map(({ name, kind }) => ({ name, type: TYPES[kind], data: [] }));
  const writer = new ParquetWriter({
    writer: sink,
    schema: schemaFromColumnData({ columnData: empty }),
    createdBy: 'recado',
  });
  return {
    async write(rows) {
      const columnData = columns.map(({ name, kind }, index) => ({
        name,
        type: TYPES[kind],
        data: rows.map((row) => toParquet(kind, row[index])),
      }));
      await writer.write({ columnData, rowGroupSize: rows.length });
    },
    async close() {
      await writer.finish();
      await flush();
      await file.sync();
      await file.close();
    },
    abandon: () => file.close(),
  };
}

function toParquet(kind: FieldKind, value: unknown): unknown {
  if (value === null) return null;
  if (kind === 'timestamp') return new Date(value as string);
  return kind === 'integer' ? BigInt(value as number) : value;
}
