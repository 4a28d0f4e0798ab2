/** The copies (generations) of a collection, and the live one. All functions are synchronous. */
import { GenerationMoved, type CollectionVersion, type Generations } from '../../ports/read-models.js';
import { removeTable } from './collection-table.js';
import type { Db } from './database.js';
import type { StoredCopy } from './stored-versions.js';

export interface GenerationTable {
  of(version: CollectionVersion): Generations;
  /** Registers a generation that is not live. */
  add(version: CollectionVersion, generation: number): void;
  /** In a transaction. @throws GenerationMoved */
  flip(version: CollectionVersion, from: number, to: number): void;
  /** In a transaction: removes it from the list of generations. @throws GenerationMoved when it is live */
  retire(version: CollectionVersion, generation: number): void;
  /** In a transaction: deletes its row. */
  forget(version: CollectionVersion, generation: number): void;
}

/** `generations.live`: a retired generation is being removed, which takes several transactions. */
const LIVE = 1;
const BESIDE = 0;
const RETIRED = -1;

interface Row {
  readonly generation: number;
  readonly live: number;
}

export function createGenerationTable(db: Db): GenerationTable {
  const rowsOf = db.prepare<unknown[], Row>(
    'SELECT generation, live FROM generations WHERE name = ? AND version = ? ORDER BY generation',
  );
  const insert = db.prepare(
    'INSERT INTO generations (name, version, generation, live) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const mark = db.prepare(
    'UPDATE generations SET live = ? WHERE name = ? AND version = ? AND generation = ?',
  );
  const remove = db.prepare('DELETE FROM generations WHERE name = ? AND version = ? AND generation = ?');

  const rows = ({ name, version }: CollectionVersion): readonly Row[] => {
    const found = rowsOf.all(name, version);
    return found.length === 0 ? [{ generation: 1, live: LIVE }] : found;
  };
  const live = (version: CollectionVersion): number =>
    rows(version).find((row) => row.live === LIVE)?.generation ?? 1;

  const table: GenerationTable = {
    of(version) {
      const found = rows(version);
      return {
        version: version.version,
        live: live(version),
        all: found.filter((row) => row.live !== RETIRED).map(({ generation }) => generation),
        next: Math.max(...found.map(({ generation }) => generation)) + 1,
      };
    },
    add(version, generation) {
      const { name, version: number } = version;
      if (table.of(version).all.includes(generation)) return;
      // The first generation gets its row together with the second, and never later: by then it may have been removed
      // for good.
      if (rowsOf.all(name, number).length === 0) insert.run(name, number, 1, LIVE);
      insert.run(name, number, generation, BESIDE);
    },
    flip(version, from, to) {
      const { live: now, all } = table.of(version);
      const what = `${version.name}@${version.version}`;
      if (now !== from) throw new GenerationMoved(`${what}: generation ${now} is live, not ${from}`);
      if (!all.includes(to)) throw new GenerationMoved(`${what} has no generation ${to}`);
      mark.run(BESIDE, version.name, version.version, from);
      mark.run(LIVE, version.name, version.version, to);
    },
    retire(version, generation) {
      if (live(version) === generation) {
        throw new GenerationMoved(`generation ${generation} of ${version.name}@${version.version} is live`);
      }
      mark.run(RETIRED, version.name, version.version, generation);
    },
    forget: (version, generation) => void remove.run(version.name, version.version, generation),
  };
  finishRemovals(db, table);
  return table;
}

/**
 * Finishes removals that a dead process had started. Nothing waits for the store yet, so each runs in one transaction.
 */
function finishRemovals(db: Db, table: GenerationTable): void {
  const left = db.prepare('SELECT name, version, generation FROM generations WHERE live = ?').all(RETIRED);
  for (const spec of left as StoredCopy[]) {
    db.transaction(() => {
      removeTable(db, spec);
      table.forget(spec, spec.generation);
    }).immediate();
  }
}
