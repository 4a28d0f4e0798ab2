import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type ProposedEvent, type StoredRecord, decodeRecord, encodeRecord } from './records.js';

/** An event to store, with its stream and revision. */
export interface LogEntry {
  readonly stream: string;
  readonly revision: number;
  readonly event: ProposedEvent;
}

/** The log of all records, in memory and, with a folder, in an append-only file. */
export interface Log {
  readonly all: readonly StoredRecord[];
  /** The position of the next record. */
  end(): number;
  /** Stores all entries or none. With a folder they are in the file when this returns. */
  append(entries: readonly LogEntry[]): readonly StoredRecord[];
  /** Index in `all` of the first record at or after a position. */
  indexAt(position: number): number;
  /** Calls `listener` after records were stored. Returns a function that removes the listener. */
  onStored(listener: (records: readonly StoredRecord[]) => void): () => void;
  close(): void;
}

/** A real log starts with the server's own records, so no client ever sees a position near 0. */
const FIRST_POSITION = 3_417;

/**
 * Stands for the bytes that the server adds to each record on disk. The amount is invented; that positions count bytes
 * is not.
 */
const RECORD_OVERHEAD = 61;

const LENGTH = 4;

/**
 * Writes one frame per append (length, then each record with its length) before the append is answered. The write
 * survives SIGKILL of the process; there is no fsync, so it may not survive a power cut. Without a folder the log
 * starts with the records that are passed in.
 */
export const openLog = (dataDir: string | undefined, kept: readonly StoredRecord[] = []): Log => {
  const file = dataDir === undefined ? undefined : openFile(dataDir);
  const all: StoredRecord[] = file?.records ?? [...kept];
  const listeners = new Set<(records: readonly StoredRecord[]) => void>();
  const last = all.at(-1);
  let end = last === undefined ? FIRST_POSITION : after(last);

  const indexAt = (position: number): number => {
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((all[middle]?.position ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const append = (entries: readonly LogEntry[]): readonly StoredRecord[] => {
    const created = Date.now();
    let position = end;
    const records = entries.map(({ event, stream, revision }) => {
      const record = encodeRecord(event, { stream, revision, position, created });
      position = after(record);
      return record;
    });
    if (file !== undefined) writeAll(file.handle, frameOf(records));
    end = position;
    all.push(...records);
    for (const listener of [...listeners]) listener(records);
    return records;
  };

  return {
    all,
    end: () => end,
    append,
    indexAt,
    onStored(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      if (file !== undefined) closeSync(file.handle);
    },
  };
};

const after = (record: StoredRecord): number => record.position + record.encoded.byteLength + RECORD_OVERHEAD;

const frameOf = (records: readonly StoredRecord[]): Buffer => {
  const length = records.reduce((sum, { encoded }) => sum + LENGTH + encoded.byteLength, 0);
  const frame = Buffer.allocUnsafe(LENGTH + length);
  let offset = frame.writeUInt32LE(length, 0);
  for (const { encoded } of records) {
    offset = frame.writeUInt32LE(encoded.byteLength, offset);
    frame.set(encoded, offset);
    offset += encoded.byteLength;
  }
  return frame;
};

const writeAll = (handle: number, bytes: Buffer): void => {
  for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written);
};

const openFile = (dataDir: string): { readonly handle: number; readonly records: StoredRecord[] } => {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'events.log');
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const records: StoredRecord[] = [];
  let offset = 0;
  while (offset + LENGTH <= bytes.length) {
    const next = offset + LENGTH + bytes.readUInt32LE(offset);
    if (next > bytes.length) break;
    for (let at = offset + LENGTH; at < next;) {
      const length = bytes.readUInt32LE(at);
      records.push(decodeRecord(new Uint8Array(bytes.subarray(at + LENGTH, at + LENGTH + length))));
      at += LENGTH + length;
    }
    offset = next;
  }
  const handle = openSync(path, 'a');
  // An incomplete frame belongs to an append that was never answered.
  if (offset < bytes.length) ftruncateSync(handle, offset);
  return { handle, records };
};
