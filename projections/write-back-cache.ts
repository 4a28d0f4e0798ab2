/**
 * Write-back cache of a build: the documents folded since everything was last written, and those of the round before.
 * Most documents that are needed again are among the latest.
 */
import type { DocumentWrite } from '../ports/read-models.js';
import type { WorkingSet } from './fold.js';
import type { IdSet } from './id-filter.js';

export interface WriteBackCache {
  readonly working: WorkingSet;
  /** Moves cached documents into `working`; returns the ids that must be loaded from the store. */
  load(ids: readonly string[]): readonly string[];
  /** Measures these documents after they were folded. */
  measure(ids: readonly string[]): void;
  /** Approximate size of all folded, unwritten documents. */
  bytes(): number;
  /** The changed documents in chunks of at most this many documents and about this many bytes. */
  chunks(documents: number, bytes: number): readonly (readonly DocumentWrite[])[];
  /** Marks everything as written. */
  saved(): void;
}

/** @param stored ids of documents that the store may hold; null if it may hold any document */
export function createWriteBackCache(stored: IdSet | null): WriteBackCache {
  let working: WorkingSet = new Map();
  let before: WorkingSet = new Map();
  let total = 0;

  function loadOne(id: string): boolean {
    if (working.has(id)) return true;
    const known = before.get(id);
    if (!known) return stored !== null && !stored.mayHave(id);
    before.delete(id);
    working.set(id, known);
    return true;
  }

  return {
    get working() {
      return working;
    },
    load: (ids) => ids.filter((id) => !loadOne(id)),
    measure(ids) {
      for (const id of ids) {
        const entry = working.get(id);
        if (!entry) continue;
        const weight = weightOf(entry.doc);
        total += weight - entry.weight;
        entry.weight = weight;
      }
    },
    bytes: () => total,
    chunks(documents, bytes) {
      const chunks: DocumentWrite[][] = [];
      let last: DocumentWrite[] = [];
      let size = Infinity;
      for (const [id, { doc, version, changed, weight }] of working) {
        if (!changed) continue;
        if (last.length >= documents || size + weight > bytes) {
          chunks.push((last = []));
          size = 0;
        }
        // No other code writes a generation that is being built, except erasures, which are repeated once it is built.
        // The version alone decides.
        last.push({ id, doc, version });
        size += weight;
      }
      return chunks;
    },
    saved() {
      before = working;
      working = new Map();
      total = 0;
      for (const [id, entry] of before) {
        if (entry.changed) stored?.add(id);
        entry.changed = false;
        entry.weight = 0;
        entry.base = entry.version;
      }
    },
  };
}

/** Approximate bytes in memory. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 32;
  for (const key in value) sum += 8 + weightOf((value as Record<string, unknown>)[key]);
  return sum;
}
