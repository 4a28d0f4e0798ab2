/** Rows that a process keeps in memory, as a DueTimes: all of them are scheduled while a batch is open. */
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes, DueTimes } from '../../ports/due-times.js';
import { systemClock } from '../../adapters/clock/system.js';
import { createKeptRows } from '../../workers/lanes/kept-rows.js';
import { memoryDueTimes } from '../support/memory/due-times.js';

const quiet = { failed: () => undefined, worked: () => undefined };
const open = { until: () => undefined };

/**
 * Every third call first moves all rows to the store. What the store has by then is scheduled there: only rows of
 * messages that nobody had before are kept.
 */
export function keptOver(
  store: AdoptingDueTimes,
  clock: Clock = systemClock,
  moves = true,
): DueTimes & { letGo(): Promise<void> } {
  const kept = createKeptRows(store, clock, quiet);
  let calls = 0;
  const moved = async (): Promise<unknown> => moves && (calls += 1) % 3 === 0 && kept.letGo();
  return {
    ...kept,
    async schedule(entries) {
      await moved();
      for (const entry of entries) {
        const there = await store.existing(entry.queue, [entry.id]);
        await kept.schedule([entry], there.size > 0 ? undefined : open);
      }
    },
    async claim(options) {
      await moved();
      return kept.claim(options);
    },
    async settle(settlements) {
      await moved();
      return kept.settle(settlements);
    },
  };
}

/** The time is that of the last call, so claims of rows in memory and in the store end by one clock. */
export function keptInMemory(moves: 'never' | 'often') {
  let at = 0;
  const clock = { ...systemClock, now: () => at, monotonic: () => at };
  const store = keptOver(
    memoryDueTimes(() => at),
    clock,
    moves === 'often',
  );
  return {
    store: {
      ...store,
      claim: (options: Parameters<DueTimes['claim']>[0]) => {
        at = options.now;
        return store.claim(options);
      },
      reschedule: (...given: Parameters<DueTimes['reschedule']>) => {
        at = Date.now();
        return store.reschedule(...given);
      },
      lanes: (queue: string, now: number) => {
        at = now;
        return store.lanes(queue, now);
      },
    },
    close: () => store.letGo(),
  };
}
