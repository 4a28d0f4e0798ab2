/**
 * The collections that are defined in this process, by their addresses (ports/read-models.ts). There is only one process,
 * so it always knows the live generation: a flip changes both the file and the meaning of addresses.
 */
import {
  type CollectionSpec,
  type CollectionVersion,
  generationAddress,
  parseAddress,
  storedName,
} from '../../ports/read-models.js';
import { createCollection, type Collection } from './collection.js';
import type { Db } from './database.js';
import { createDocumentCache } from './document-cache.js';
import { createPacker, type Packer } from './packer.js';
import { createGenerationTable, type GenerationTable } from './generations.js';
import type { Participant } from './participant.js';

export interface Collections {
  define(spec: CollectionSpec): Collection;
  /** @throws Error when it was never defined */
  named(collection: string): Collection;
  /** Name under which the checkpoint for an address is stored. */
  checkpointOf(address: string): string;
  readonly generations: GenerationTable;
  /** Call it after a flip is committed: addresses then resolve to the live generation. */
  point(version: CollectionVersion): void;
  /** Call it when the generation has been removed. */
  lose(version: CollectionVersion, generation: number): void;
  /** Every copy that this process has defined, once. */
  all(): readonly Collection[];
  /** Collections whose search is not ready yet. */
  unsearchable(): readonly Collection[];
  /** Whether this process has defined the version. */
  inUse(version: CollectionVersion): boolean;
}

/** @param onUnsearchable called when a collection is defined whose search is not ready */
export function createCollections(
  db: Db,
  {
    packer = createPacker(),
    onUnsearchable,
  }: { readonly packer?: Packer; readonly onUnsearchable?: () => void } = {},
): Collections & Participant {
  const documents = createDocumentCache();
  const generations = createGenerationTable(db);
  const defined = new Map<string, Collection>();
  /** Each once; undefined since an address was given to another one. */
  let each: readonly Collection[] | undefined;
  /** Version that the bare name resolves to. */
  const latest = new Map<string, number>();

  function put(address: string, collection: Collection): void {
    defined.set(address, collection);
    each = undefined;
  }

  function point({ name, version }: CollectionVersion): void {
    const { live, all } = generations.of({ name, version });
    for (const generation of all) {
      defined.get(generationAddress({ name, version }, generation))?.setLive(generation === live);
    }
    const collection = defined.get(generationAddress({ name, version }, live));
    if (!collection) return;
    put(`${name}@${version}`, collection);
    if (latest.get(name) === version) put(name, collection);
  }

  const all = (): readonly Collection[] => (each ??= [...new Set(defined.values())]);

  return {
    generations,
    point,
    all,
    define(spec) {
      const { live } = generations.of(spec);
      const generation = spec.generation ?? live;
      const whole = { ...spec, generation };
      const address = generationAddress(spec, generation);
      const known = defined.get(address);
      const same = known && shapeOf(known.spec) === shapeOf(whole);
      if (generation !== live) generations.add(spec, generation);
      if (known && !same) flushNow(db, known);
      const collection = same ? known : createCollection(db, whole, { documents, packer });
      put(address, collection);
      if (generation === live) latest.set(spec.name, spec.version);
      point(spec);
      if (collection.searchable() < 1) onUnsearchable?.();
      return collection;
    },
    named(collection) {
      const found = defined.get(collection);
      if (!found) throw new Error(`collection ${collection} was not defined`);
      return found;
    },
    checkpointOf(text) {
      const address = parseAddress(text);
      if (!address || address.version === null) return text;
      const { name, version } = address;
      return storedName(
        { name, version },
        address.generation ?? defined.get(`${name}@${version}`)?.spec.generation ?? 1,
      );
    },
    lose(version, generation) {
      defined.delete(generationAddress(version, generation));
      each = undefined;
    },
    inUse: ({ name, version }) => defined.has(`${name}@${version}`),
    unsearchable: () => all().filter((one) => one.searchable() < 1),
    committed() {
      for (const collection of all()) collection.committed();
    },
    /** Cached documents and query results may come from the transaction that was rolled back. */
    rolledBack() {
      documents.clear();
      for (const collection of all()) collection.rolledBack();
    },
  };
}

/** Outside the writer's transactions: the collection is about to be replaced by one of another shape. */
function flushNow(db: Db, collection: Collection): void {
  db.transaction(() => collection.flush()).immediate();
  collection.committed();
}

const shapeOf = ({ indexes, search, forgets, idsBegin }: CollectionSpec): string =>
  JSON.stringify([indexes, search, forgets, idsBegin]);
