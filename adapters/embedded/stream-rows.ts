/** Reads the stored events of one stream. */
import type { Db } from './database.js';
import { LIMIT } from './limit.js';
import { EVENT_COLUMNS, type EventValues } from './records.js';
import type { StreamIndex } from './stream-index.js';

/** Stored events of a stream, from a revision on. */
export type StreamRows = (stream: string, from: number, limit: number) => EventValues[];

/** @param index has the newest events of streams, which the table of entries lacks */
export function createStreamRows(db: Db, index: Pick<StreamIndex, 'tail'>): StreamRows {
  const readStream = db
    .prepare<unknown[], EventValues>(
      `SELECT ${EVENT_COLUMNS.replace(/\w+/g, 'events.$&')} FROM event_streams AS entry
       CROSS JOIN events ON events.position = entry.position
       WHERE entry.stream = ? AND entry.revision >= ? AND entry.revision < ? ORDER BY entry.revision ${LIMIT}`,
    )
    .raw();
  const readOne = db
    .prepare<unknown[], EventValues>(`SELECT ${EVENT_COLUMNS} FROM events WHERE position = ?`)
    .raw();

  return (stream, from, limit) => {
    const tail = index.tail(stream);
    const indexed = tail?.first ?? Number.MAX_SAFE_INTEGER;
    const rows = from < indexed ? readStream.all(stream, from, indexed, limit) : [];
    if (!tail) return rows;
    const at = Math.max(0, from - tail.first);
    for (const position of tail.positions.slice(at, at + limit - rows.length)) {
      rows.push(...readOne.all(position));
    }
    return rows;
  };
}
