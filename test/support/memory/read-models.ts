/**
 * The read-models port over maps: documents first, then the checkpoint, in separate steps, as a store without
 * transactions does it. `step` is told of every step before it is taken and may let it fail or wait.
 */
import { START, type Position } from '../../../ports/event-store.js';
import {
  CheckpointMoved,
  DocumentMoved,
  type Document,
  type DocumentWrite,
  type ReadModels,
  type StoredDocument,
} from '../../../ports/read-models.js';

export type Step = 'read' | 'write' | 'checkpoint' | 'advance' | 'answer';

interface Row {
  readonly doc: Document | null;
  readonly version: string;
}

export interface MemoryReadModels extends ReadModels {
  /** Live documents of a collection. */
  all(collection: string): ReadonlyMap<string, StoredDocument<Document>>;
  /** Where a projection stands, without a step. */
  standsAt(projection: string): Position;
}

export function memoryReadModels(
  step: (kind: Step, what: string) => Promise<void> | void = () => undefined,
  onAdvanced: (projection: string, to: Position) => void = () => undefined,
): MemoryReadModels {
  const collections = new Map<string, Map<string, Row>>();
  const checkpoints = new Map<string, Position>();
  const rowsOf = (name: string): Map<string, Row> => {
    const rows = collections.get(name) ?? new Map<string, Row>();
    collections.set(name, rows);
    return rows;
  };

  async function put(collection: string, writes: readonly DocumentWrite[], bases: boolean): Promise<void> {
    const rows = rowsOf(collection);
    for (const { id, doc, version, base } of writes) {
      await step('write', `${collection}/${id}`);
      const row = rows.get(id);
      if (row && row.version >= version) continue;
      if (bases && base !== undefined && row?.doc && row.version !== base) throw new DocumentMoved(id);
      rows.set(id, { doc: structuredClone(doc), version });
    }
  }

  const unused = (): never => {
    throw new Error('not part of this stand-in');
  };

  return {
    all(collection) {
      const live = [...rowsOf(collection)].filter(([, { doc }]) => doc !== null);
      return new Map(live.map(([id, { doc, version }]) => [id, { id, doc: doc!, version }]));
    },
    standsAt: (projection) => checkpoints.get(projection) ?? START,
    define: async () => undefined,
    async get<T>(collection: string, id: string) {
      return (await this.getMany<T>(collection, [id]))[0];
    },
    async getMany<T>(collection: string, ids: readonly string[]) {
      await step('read', collection);
      const rows = rowsOf(collection);
      return ids.flatMap((id) => {
        const row = rows.get(id);
        return row?.doc ? [{ id, doc: structuredClone(row.doc) as T, version: row.version }] : [];
      });
    },
    find: unused,
    search: unused,
    count: unused,
    write: (collection, writes) => put(collection, writes, false),
    async checkpoint(projection) {
      await step('checkpoint', projection);
      return checkpoints.get(projection) ?? START;
    },
    async commit(collection, { projection, from, to, writes }) {
      await put(collection, writes, true);
      await step('advance', projection);
      if ((checkpoints.get(projection) ?? START) !== from) throw new CheckpointMoved(projection);
      checkpoints.set(projection, to);
      onAdvanced(projection, to);
      await step('answer', projection);
    },
  };
}
