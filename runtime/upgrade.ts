/**
 * The changes from an earlier release that a start found and made: recorded once, and reported by GET /status from then
 * on.
 */
import type { Logger } from '../ports/logger.js';
import type { ReadModels } from '../ports/read-models.js';
import type { Clock } from '../ports/clock.js';
import { versionAfter } from '../ports/versions.js';
import { deployment, type ReleaseDoc, type Upgrade } from '../read-models/deployment.js';

const ID = 'release';

/**
 * Compares this release with the one that ran last, and records the changes.
 * @param schema version of the embedded file's schema before and now; null where no file exists, or it is new
 */
export async function noteUpgrade(
  deps: { readonly readModels: ReadModels; readonly clock: Clock; readonly logger: Logger },
  release: string,
  schema: { readonly from: number; readonly to: number } | null,
): Promise<Upgrade | null> {
  const { readModels, clock, logger } = deps;
  await readModels.define(deployment);
  const stored = await readModels.get(deployment.name, ID);
  const before = stored && 'release' in stored.doc ? stored.doc : undefined;
  const notes: string[] = [];
  if (before && before.release !== release) notes.push(`Recado ${before.release} became ${release}.`);
  if (schema && schema.from !== schema.to) {
    notes.push(`The tables of the embedded store went from schema ${schema.from} to ${schema.to}.`);
  }
  if (before && notes.length === 0) return before.upgrade;
  const at = new Date(clock.now()).toISOString();
  const upgrade: Upgrade | null =
    notes.length === 0 ? null : { at, from: before?.release ?? null, to: release, notes };
  const doc: ReleaseDoc = { release, upgrade };
  await readModels.write(deployment.name, [
    { id: ID, doc, version: versionAfter(stored?.version, clock.now()) },
  ]);
  if (upgrade) logger.warn(upgrade, 'upgraded');
  return upgrade;
}
