/** A restore over stores in memory: the position and the time before which nothing acts by itself. */
import type { App } from '../../../application/app.js';
import type { Horizon } from '../../../application/restore/horizon.js';
import type { Position } from '../../../ports/event-store.js';
import { heldWork, type HeldWork } from '../../../read-models/held-work.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

export const RESTORED_AT = Date.parse('2026-03-02T15:00:00.000Z');
export const HORIZON: Horizon = {
  position: '000000000100' as Position,
  eventId: 'restore-1',
  at: RESTORED_AT,
  nothingRanSince: false,
};
/** The operator confirmed that nothing acted after the copy was taken. */
export const NOTHING_RAN: Horizon = { ...HORIZON, nothingRanSince: true };

/** The stores of rows and held work; tests supply the rest of the app. */
export function restoreStores() {
  const dueTimes = memoryDueTimes(() => RESTORED_AT);
  const readModels = memoryReadModels();
  return {
    app: { dueTimes, readModels, clock: { now: () => RESTORED_AT } } as unknown as App,
    dueTimes,
    readModels,
    /** Rows of a queue, as they were scheduled. */
    rows: (queue: string) =>
      dueTimes.rows(queue).map(({ id, lane, dueAt, payload }) => ({ queue, id, lane, dueAt, payload })),
    held: () => [...readModels.all(heldWork.name).values()].map(({ doc }) => doc as unknown as HeldWork),
  };
}
