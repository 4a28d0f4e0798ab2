/** Progress of the import of a whole history: one document. */
import type { Position } from '../ports/event-store.js';
import { collection } from './collection.js';

export type HistoryImportDoc = {
  readonly status: 'running' | 'done';
  readonly sha256: string;
  readonly events: number;
  readonly imported: number;
  /** Position of the last imported event in the source store; null before the first. */
  readonly source_position: string | null;
  readonly keys: number;
  readonly last: string | null;
  /** Position of the last imported event in this store. */
  readonly position: Position;
};

export const historyImports = collection<HistoryImportDoc>()({
  name: 'history_imports',
  version: 1,
  indexes: {},
});
