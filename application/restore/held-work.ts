/**
 * Work that a restore holds: it was due, or under way, when the copy was taken, so the life that is lost may have done it.
 * Kept until an operator has it done or ends it. The rows that would have brought it about lie in here meanwhile.
 */
import { deriveId } from '../../domain/kernel/ids.js';
import type { ReadModels } from '../../ports/read-models.js';
import { heldWork, type HeldWork } from '../../read-models/held-work.js';
import type { App } from '../app.js';
import type { Horizon } from './horizon.js';

/** What an operator decides about it. */
export type HeldVerdict = 'release' | 'end';

/** Several groups may react to one event. */
export const reactionId = (group: string, eventId: string): string => deriveId('held', group, eventId);

/** Of one restore: held, then gone. A later restore holds it again. Not by the clock, which may be set back. */
const heldVersion = (position: string): string => `${position}/1`;
const goneVersion = (position: string): string => `${position}/2`;

export type FoundWork = Pick<HeldWork, 'id' | 'kind' | 'company_uuid' | 'about' | 'row'>;

/** What has no row yet. Once for each restore: what was released since stays so. */
export const holdBack = (
  readModels: Pick<ReadModels, 'write'>,
  horizon: Pick<Horizon, 'at' | 'position'>,
  found: readonly FoundWork[],
): Promise<void> =>
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

/** First here, then out of the queue: a crash in between leaves both, and the next round ends it. */
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

/** Nobody holds it any more. */
export const letGo = (readModels: Pick<ReadModels, 'write'>, held: readonly HeldWork[]): Promise<void> =>
  readModels.write(
    heldWork.name,
    held.map(({ id, restore_position }) => ({ id, doc: null, version: goneVersion(restore_position) })),
  );

export const countHeld = (readModels: Pick<ReadModels, 'count'>): Promise<number> =>
  readModels.count(heldWork.name, 'all', []);
