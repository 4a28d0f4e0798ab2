/**
 * Adds existing documents to a search index: those of a collection that becomes searchable, or whose index has an older
 * format. A small collection is indexed at once. A large one is indexed in pieces between other work, and the progress
 * is stored with each piece. Documents written meanwhile are added by their own writes.
 */
import { readableOrNull, type Document } from '../../ports/read-models.js';
import { systemClock } from '../clock/system.js';
import type { Db } from './database.js';
import { LIMIT } from './limit.js';
import { unpack, type Stored } from './packing.js';
import type { SearchProgress } from './search-tables.js';

export interface Filling {
  /** In a transaction: indexes some more documents; false when nothing is left to do. */
  some(): boolean;
  /** Share of the documents that are indexed, from 0 to 1. */
  share(): number;
  /** Called after a rollback. */
  forget(): void;
}

/**
 * Limits of one piece; the first one reached ends it. Other work waits that long, so it is measured by the machine's
 * clock.
 */
const PIECE_MS = 8;
const PIECE_DOCUMENTS = 200;
/** A collection of up to this many documents is indexed at once, when it is defined: at most a fifth of a second. */
const AT_ONCE = 1_000;

export function createFilling(
  db: Db,
  table: string,
  progress: SearchProgress,
  index: { readonly put: (id: string, doc: Document) => void; readonly step: () => boolean },
): Filling {
  const after = db.prepare<unknown[], { place: number; id: string; doc: Stored }>(
    `SELECT rowid AS place, id, doc FROM ${table} WHERE rowid > ? AND doc IS NOT NULL ORDER BY rowid ${LIMIT}`,
  );
  const lastRow = db.prepare<unknown[], number | null>(`SELECT max(rowid) FROM ${table}`).pluck();
  const countTo = db
    .prepare<unknown[], number>(
      `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE doc IS NOT NULL ${LIMIT})`,
    )
    .pluck();
  let whole: boolean;

  /** One piece: documents first, then the sealing that they have left to be done. */
  function some(limitMs = PIECE_MS): boolean {
    let row = progress.filledTo();
    if (row !== null) {
      const end = systemClock.monotonic() + limitMs;
      const documents = after.all(row, PIECE_DOCUMENTS);
      for (const { place, id, doc } of documents) {
        const read = readableOrNull(unpack(doc));
        if (read) index.put(id, read);
        row = place;
        if (systemClock.monotonic() >= end) break;
      }
      while (documents.length === 0 && row !== null && systemClock.monotonic() < end)
        if (!index.step()) row = null;
      progress.setFilledTo(row);
    }
    whole = row === null;
    return !whole;
  }

  whole = progress.filledTo() === null;
  if (!whole && (countTo.get(AT_ONCE + 1) ?? 0) <= AT_ONCE) {
    db.transaction(() => {
      while (some(Infinity));
    }).immediate();
  }

  return {
    some: () => some(),
    share() {
      if (whole) return 1;
      return Math.min(0.99, (progress.filledTo() ?? 0) / Math.max(1, lastRow.get() ?? 0));
    },
    forget: () => void (whole = progress.filledTo() === null),
  };
}
