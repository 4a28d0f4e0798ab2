/** What a start found of an earlier release and did about it: noted once, and shown by GET /status ever after. */
import type { Logger } from '../ports/logger.js';
import type { ReadModels } from '../ports/read-models.js';
import type { Clock } from '../ports/clock.js';
import { versionAfter } from '../ports/versions.js';
import { COLLECTION } from './master-key-check.js';

export interface Upgrade {
  /** ISO 8601 */
  readonly at: string;
  /** Release that ran before; null when it left no word of itself. */
  readonly from: string | null;
  readonly to: string;
  /** A sentence for each thing that was done. */
  readonly notes: readonly string[];
}

interface ReleaseDoc {
  readonly release: string;
  readonly upgrade: Upgrade | null;
}

const ID = 'release';

/**
 * Compares this release with the one that ran last, and writes down what has changed.
 * @param schema of the embedded file: what it was and what it is now; null where there is no file, or it is new
 */
export async function noteUpgrade(
  deps: { readonly readModels: ReadModels; readonly clock: Clock; readonly logger: Logger },
  release: string,
  schema: { readonly from: number; readonly to: number } | null,
): Promise<Upgrade | null> {
  const { readModels, clock, logger } = deps;
  await readModels.define(COLLECTION);
  const stored = await readModels.get<ReleaseDoc>(COLLECTION.name, ID);
  const notes: string[] = [];
  if (stored && stored.doc.release !== release) notes.push(`Recado ${stored.doc.release} became ${release}.`);
  if (schema && schema.from !== schema.to) {
    notes.push(`The tables of the embedded store went from schema ${schema.from} to ${schema.to}.`);
  }
  if (stored && notes.length === 0) return stored.doc.upgrade;
  const at = new Date(clock.now()).toISOString();
  const upgrade: Upgrade | null =
    notes.length === 0 ? null : { at, from: stored?.doc.release ?? null, to: release, notes };
  const doc: ReleaseDoc = { release, upgrade };
  await readModels.write(COLLECTION.name, [
    { id: ID, doc: { ...doc }, version: versionAfter(stored?.version, clock.now()) },
  ]);
  if (upgrade) logger.warn(upgrade, 'upgraded');
  return upgrade;
}
