/** How this process knows what read models show: its own work waits for them, and reads what it has just seen from memory. */
import type { Embedded } from '../adapters/embedded/open.js';
import type { App } from '../application/app.js';
import type { EventStore } from '../ports/event-store.js';
import { createBarrier } from '../projections/barrier.js';
import { projections } from '../projections/catalog.js';
import { createProgress } from '../projections/progress.js';
import { createShownHere } from '../projections/shown-here.js';
import { createSkips } from '../projections/skips.js';
import { createWaits } from '../projections/waits.js';

export interface ReadingDeps extends Pick<App, 'readModels' | 'clock' | 'logger'> {
  readonly eventStore: EventStore;
  /** Null except with the embedded store, whose writes include the read models. */
  readonly embedded: Embedded | null;
}

export function createReading({ eventStore, embedded, readModels, clock, logger }: ReadingDeps) {
  const progress = createProgress({ readModels, clock });
  const skips = createSkips({ readModels, clock });
  const waits = createWaits({ readModels, clock, logger });
  const shownHere = createShownHere(clock);
  const barrier = createBarrier(projections, {
    shownHere,
    store: eventStore,
    readModels,
    clock,
    onBehind: waits.behind,
    onPassed: waits.passed,
    ...(embedded
      ? { inEveryWrite: embedded.inEveryWrite }
      : { follow: (options) => eventStore.subscribe(options) }),
  });
  return { progress, skips, waits, shownHere, barrier };
}
