/** The state that a restore leaves behind, as its tests create and read it. */
import type { App } from '../../../application/app.js';
import { markRestored, restoredRecord, type Horizon } from '../../../application/restore/horizon.js';
import { prepareRestore } from '../../../workers/restore/prepare.js';
import { heldWork, type HeldWork } from '../../../read-models/held-work.js';

/** Marks the present history as restored from a copy, and prepares the restore. */
export async function restored(app: App, nothing_ran_since = false): Promise<Horizon> {
  const data = { source: 'backup', nothing_ran_since } as const;
  await markRestored(app.store, restoredRecord(data, { now: app.clock.now(), newId: app.newId }));
  return (await prepareRestore(app))!;
}

export const heldUnder = async (app: App, id: string): Promise<HeldWork | undefined> =>
  (await app.readModels.get(heldWork.name, id))?.doc;
