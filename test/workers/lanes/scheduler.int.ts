import { temporaryStore } from '../../conformance/embedded.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { describeScheduler } from './conformance.js';

describeScheduler('embedded', async () => {
  const clock = manualClock();
  const temporary = await temporaryStore({ clock });
  return {
    clock,
    dueTimes: temporary.store.dueTimes,
    flush: () => temporary.store.flush(),
    close: () => temporary.close(),
  };
});
