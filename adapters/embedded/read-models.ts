/**
 * The ReadModels port over SQLite.
 *
 * A collection is addressed as `name` (the version defined last in this process) or as `name@version`, which is how a
 * rebuild fills a new version beside the one that GETs read.
 */
import {
  CheckpointMoved,
  type CollectionSpec,
  DocumentMoved,
  type DocumentWrite,
  type ReadModels,
  type StoredDocument,
} from '../../ports/read-models.js';
import type { Checkpoints } from './checkpoints.js';
import { createCollection, type Collection } from './collection.js';
import type { Db } from './database.js';
import { createDocumentCache } from './document-cache.js';
import type { Participant, Writer } from './writer.js';

export interface Collections {
  define(spec: CollectionSpec): Collection;
  /** @throws Error when it was never defined */
  named(collection: string): Collection;
}

export function createCollections(db: Db): Collections & Participant {
  const documents = createDocumentCache();
  const defined = new Map<string, Collection>();
  return {
    define(spec) {
      const full = `${spec.name}@${spec.version}`;
      const known = defined.get(full);
      const same = known && shapeOf(known.spec) === shapeOf(spec);
      const collection = same ? known : createCollection(db, spec, documents);
      defined.set(full, collection);
      defined.set(spec.name, collection);
      return collection;
    },
    named(collection) {
      const found = defined.get(collection);
      if (!found) throw new Error(`collection ${collection} was not defined`);
      return found;
    },
    rolledBack() {
      documents.clear();
      for (const collection of defined.values()) collection.forget();
    },
  };
}

const shapeOf = ({ indexes, search }: CollectionSpec): string => JSON.stringify([indexes, search]);

export function createReadModels(deps: {
  readonly collections: Collections;
  readonly checkpoints: Checkpoints;
  readonly writer: Writer;
}): ReadModels {
  const { collections, checkpoints, writer } = deps;
  return {
    async define(spec) {
      collections.define(spec);
    },
    async get<T>(collection: string, id: string) {
      return collections.named(collection).get<T>(id);
    },
    async getMany<T>(collection: string, ids: readonly string[]) {
      const target = collections.named(collection);
      return ids.map((id) => target.get<T>(id)).filter((found): found is StoredDocument<T> => !!found);
    },
    async find<T>(collection: string, query: Parameters<ReadModels['find']>[1]) {
      return collections.named(collection).find<T>(query);
    },
    async search<T>(collection: string, query: Parameters<ReadModels['search']>[1]) {
      return collections.named(collection).search<T>(query);
    },
    async count(collection, index, equals) {
      return collections.named(collection).count(index, equals);
    },
    async write(collection, writes) {
      const target = collections.named(collection);
      const rows = writes.map((write) => target.prepare(write));
      return writer.submit(() => rows.forEach((row) => target.write(row)), rows.length);
    },
    async checkpoint(projection) {
      return checkpoints.get(projection);
    },
    async commit(collection, change) {
      const target = collections.named(collection);
      const rows = change.writes.map((write) => target.prepare(write));
      return writer.submit(() => {
        const at = checkpoints.get(change.projection);
        if (at !== change.from) {
          throw new CheckpointMoved(
            `projection ${change.projection} is at "${at}", not at "${change.from}": another runner moved it`,
          );
        }
        for (const { document } of rows) refuseMoved(target, document);
        for (const row of rows) target.write(row);
        checkpoints.set(change.projection, change.to);
      }, rows.length);
    },
  };
}

/** @throws DocumentMoved when somebody wrote the document since it was loaded */
function refuseMoved(target: Collection, { id, version, base }: DocumentWrite): void {
  if (base === undefined) return;
  const there = target.get(id);
  if (there === undefined || there.version === base || there.version >= version) return;
  throw new DocumentMoved(`document ${id} is at "${there.version}", not at "${base}": somebody wrote it`);
}
