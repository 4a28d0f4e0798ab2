/**
 * Work held by a restore. It was due or in progress when the copy was taken, so the system may have done it after that.
 * It is kept until an operator releases or ends it; its due-time rows are stored here meanwhile.
 */
import { deriveId } from '../../domain/kernel/ids.js';
import type { ReadModels } from '../../ports/read-models.js';
import { heldWork, type HeldWork } from '../../read-models/held-work.js';
import type { App } from '../app.js';
import type { Horizon } from './horizon.js';

/** The operator's decision about held work. */
export type HeldVerdict = 'release' | 'end';

/** Id of one group's reaction to an event; several groups may react to the same one. */
export const reactionId = (group: string, eventId: string): string => deriveId('held', group, eventId);

/**
 * Versions per restore: held, then gone; a later restore can hold the work again. Ordered by position and not by time,
 * as the clock may be set back.
 */
const heldVersion = (position: string): string => `${position}/1`;
const goneVersion = (position: string): string => `${position}/2`;

export type FoundWork = Pick<HeldWork, 'id' | 'kind' | 'company_uuid' | 'about' | 'row'>;

/** Holds work that has no due-time row. Takes effect once per restore: work released since then stays released. */
export const holdBack = (
  readModels: Pick<ReadModels, 'write'>,
  horizon: Pick<Horizon, 'at' | 'position'>,
  found: readonly FoundWork[],
): Promise<unknown> =>
  readModels.write(
    heldWork.name,
    found.map((work) => {
      const doc: HeldWork = {
        ...work,
        due_at: new Date(work.row.dueAt).toISOString(),
        restored_at: new Date(horizon.at).toISOString(),
        restore_position: horizon.position,
      };
      return { id: work.id, doc, version: heldVersion(horizon.position) };
    }),
  );

/**
 * Stores the work first, then removes its rows from the queue: a crash in between leaves both, and the next run
 * completes it.
 */
export async function hold(
  { readModels, dueTimes }: Pick<App, 'readModels' | 'dueTimes'>,
  horizon: Pick<Horizon, 'at' | 'position'>,
  found: readonly FoundWork[],
): Promise<void> {
  await holdBack(readModels, horizon, found);
  for (const queue of new Set(found.map(({ row }) => row.queue))) {
    const ids = found.filter(({ row }) => row.queue === queue).map(({ row }) => row.id);
    await dueTimes.cancel(queue, ids);
  }
}

/** Removes work from the held work. */
export const letGo = (readModels: Pick<ReadModels, 'write'>, held: readonly HeldWork[]): Promise<unknown> =>
  readModels.write(
    heldWork.name,
    held.map(({ id, restore_position }) => ({ id, doc: null, version: goneVersion(restore_position) })),
  );

export const countHeld = (readModels: Pick<ReadModels, 'count'>): Promise<number> =>
  readModels.count(heldWork.name, 'all', []);
