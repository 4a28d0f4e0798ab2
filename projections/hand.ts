/**
 * The documents that a build has in hand: those folded since everything was last written, and those that were in hand
 * before, since most documents that are asked for again are among the latest.
 */
import type { DocumentWrite } from '../ports/read-models.js';
import type { WorkingSet } from './fold.js';
import type { IdSet } from './id-filter.js';

export interface Hand {
  readonly working: WorkingSet;
  /** Takes these up; answers which of them the store has to be asked for. */
  takeUp(ids: readonly string[]): readonly string[];
  /** They were folded. */
  weigh(ids: readonly string[]): void;
  /** Of all that is folded and not written, about. */
  bytes(): number;
  /** What is to be written, in parts of so many documents and about so many bytes at the most. */
  chunks(documents: number, bytes: number): readonly (readonly DocumentWrite[])[];
  /** Everything is written. */
  saved(): void;
}

/** @param stored ids of which a document may be in the store; null where it may be any */
export function createHand(stored: IdSet | null): Hand {
  let working: WorkingSet = new Map();
  let before: WorkingSet = new Map();
  let total = 0;

  function takeUp(id: string): boolean {
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
    takeUp: (ids) => ids.filter((id) => !takeUp(id)),
    weigh(ids) {
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
        // Nobody else writes a generation that is being built, but for erasures, which are done again when it is there: the
        // version alone decides.
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

/** Bytes that it takes in memory, about. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 32;
  for (const key in value) sum += 8 + weightOf((value as Record<string, unknown>)[key]);
  return sum;
}
