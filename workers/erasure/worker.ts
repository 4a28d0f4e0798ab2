/**
 * Ends erasures, also those that a process which is gone has begun. One process at a time does this; the steps may be
 * repeated, so that a request that is carrying out the same erasure is no harm.
 */
import type { App } from '../../application/app.js';
import { finishErasure } from '../../application/erasure/carry-out.js';
import { every, type Rounds } from '../kernel/every.js';
import { erasures } from '../../read-models/erasures.js';

const EVERY_MS = 1_000;
const AT_ONCE = 100;
const CALLER = { actor: 'worker:erasure' };

/**
 * How long an erasure rests before it is tried to end it, by a clock that can't be set: a process that decoded something of the
 * person before the keys went, and writes it without a checkpoint (a webhook body), has written it by then. Each try
 * that finds something begins the rest anew.
 */
export const SETTLING_MS = 5_000;

/** @param settlingMs where several processes share the work, longer than any of them believes a key */
export const startErasures = (app: App, settlingMs: number): Rounds =>
  every(app, EVERY_MS, 'ending erasures', createErasures(app, settlingMs));

/** The answer is one round, which answers how many erasures are open after it. */
export function createErasures(app: App, settlingMs: number): (stopping?: () => boolean) => Promise<number> {
  const { clock, logger } = app;
  /** True when it has rested. */
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
