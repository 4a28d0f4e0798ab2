/** The copies of collections: which exist, which one is live, and their removal in many small transactions. */
import {
  type CollectionVersion,
  GenerationMoved,
  type ReadModels,
  storedName,
  versionsAmong,
} from '../../ports/read-models.js';
import type { Checkpoints } from './checkpoints.js';
import { removeTable } from './collection-table.js';
import type { Collections } from './collections.js';
import type { Db } from './database.js';
import { emptying, removeSome, storedCopies } from './stored-versions.js';
import type { Writer } from './writer.js';

/** Documents of a dropped generation that are removed in one transaction. */
const REMOVED_AT_ONCE = 100;

export function createCopies(deps: {
  readonly db: Db;
  readonly collections: Collections;
  readonly checkpoints: Checkpoints;
  readonly writer: Writer;
}): Pick<
  ReadModels,
  'define' | 'generations' | 'flip' | 'drop' | 'versions' | 'dropVersion' | 'removeElsewhere'
> {
  const { db, collections, checkpoints, writer } = deps;
  const versionOf = (collection: string): CollectionVersion => collections.named(collection).spec;

  return {
    async define(spec) {
      collections.define(spec);
    },
    async generations(collection) {
      return collections.generations.of(versionOf(collection));
    },
    async flip(collection, { from, to }) {
      const version = versionOf(collection);
      await writer.submit(() => collections.generations.flip(version, from, to));
      collections.point(version);
    },
    async drop(spec) {
      const { generation } = spec;
      if (!collections.generations.of(spec).all.includes(generation)) return;
      const collection = collections.define(spec);
      await writer.submit(() => {
        collection.flush();
        collections.generations.retire(spec, generation);
        checkpoints.remove(storedName(spec, generation));
      });
      let more = true;
      while (more) {
        more = await writer.submit(() => collection.removeSome(REMOVED_AT_ONCE), REMOVED_AT_ONCE);
      }
      await writer.submit(() => {
        collection.dropTable();
        collections.generations.forget(spec, generation);
      });
      collections.lose(spec, generation);
    },
    async versions() {
      return versionsAmong(storedCopies(db));
    },
    async dropVersion(version) {
      if (collections.inUse(version))
        throw new GenerationMoved(`${version.name}@${version.version} is in use`);
      const copies = storedCopies(db).filter(
        ({ name, version: number }) => name === version.name && number === version.version,
      );
      // Checkpoints first: if the removal is interrupted, a process that uses the copy again must rebuild it.
      await writer.submit(() => {
        for (const copy of copies) checkpoints.remove(storedName(copy, copy.generation));
      });
      for (const remove of copies.flatMap((copy) => emptying(db, copy, REMOVED_AT_ONCE))) {
        while ((await writer.submit(() => remove.run().changes, REMOVED_AT_ONCE)) > 0);
      }
      await writer.submit(() => {
        for (const copy of copies) removeTable(db, copy);
        for (const generation of collections.generations.of(version).all) {
          collections.generations.forget(version, generation);
        }
      });
    },
    async removeElsewhere(goes) {
      let removed = 0;
      for (const copy of storedCopies(db)) {
        if (!collections.inUse(copy))
          removed += await removeSome(db, copy, goes, (work) => writer.submit(work));
      }
      return removed;
    },
  };
}
