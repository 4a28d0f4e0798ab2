/**
 * Finishes erasures, including those begun by a process that died. One process at a time does this. The steps may be
 * repeated, so a request that runs the same erasure concurrently does no harm.
 */
import type { App } from '../../application/app.js';
import { finishErasure, type ErasureDeps } from '../../application/erasure/carry-out.js';
import { every, type Rounds } from '../kernel/every.js';
import { erasures } from '../../read-models/erasures.js';

const EVERY_MS = 1_000;
const AT_ONCE = 100;
const CALLER = { actor: 'worker:erasure' };

/**
 * Delay before an erasure is finished, by the monotonic clock. A process may have decoded personal data before the keys
 * were destroyed and write it without a checkpoint (a webhook body); it has written it by then. An attempt that finds
 * remaining data restarts the delay.
 */
export const SETTLING_MS = 5_000;

/** @param settlingMs if several processes share the work, longer than any of them caches a key */
export const startErasures = (app: ErasureDeps & Pick<App, 'clock' | 'logger'>, settlingMs: number): Rounds =>
  every(app, EVERY_MS, 'ending erasures', createErasures(app, settlingMs));

/** Returns a function that runs one round and resolves to the number of erasures still open. */
export function createErasures(
  app: ErasureDeps & Pick<App, 'clock' | 'logger'>,
  settlingMs: number,
): (stopping?: () => boolean) => Promise<number> {
  const { clock, logger } = app;
  /** By erasure: true once the delay has passed. */
  const rested = new Map<string, boolean>();

  function rest(uuid: string): void {
    rested.set(uuid, false);
    clock.after(settlingMs, () => {
      if (rested.has(uuid)) rested.set(uuid, true);
    });
  }

  return async (stopping = () => false) => {
    const { documents } = await app.readModels.find(erasures.name, {
      index: 'by_shelf',
      equals: ['open'],
      order: 'asc',
      limit: AT_ONCE,
    });
    const open = new Set(documents.map(({ id }) => id));
    for (const uuid of rested.keys()) if (!open.has(uuid)) rested.delete(uuid);
    for (const uuid of open) {
      if (stopping()) break;
      const ready = rested.get(uuid);
      if (ready === undefined) rest(uuid);
      if (ready !== true) continue;
      try {
        if (!(await finishErasure(app, uuid, CALLER))) {
          rest(uuid);
          continue;
        }
        open.delete(uuid);
        logger.info({ erasure: uuid }, 'an erasure has ended: no store holds anything of the person');
      } catch (error) {
        rest(uuid);
        logger.error({ err: error, erasure: uuid }, 'an erasure broke off; it is tried again');
      }
    }
    return open.size;
  };
}
