/**
 * Before silence is taken for an answer: everything that had come in by then has been read, and flows have heard it. After
 * an outage the time of a question and the answer to it, both long past, are found side by side.
 */
import type { App } from '../../application/app.js';
import type { UntilHeard } from '../../application/flows/engine.js';
import { messageStream } from '../../domain/message/stream.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';
import type { Own } from '../kernel/reactor.js';

/** Then the slot is for somebody else: a wait for a time needs none of this. */
const PATIENCE_MS = 2_000;
/** Somebody whose time was up that long ago was found after an outage. */
const OUTAGE_MS = 10_000;
/** For what could not be read, or heard, at first: two tries once a store is back. Longer ones may never come to an end. */
const AGAIN_MS = 120_000;
/** After reading had to wait for a store or a read model: what waited is tried again by then. */
const RETRIED_MS = 40_000;

export function createHearing(
  app: Pick<App, 'clock'>,
  inbound: InboundBarrier,
  flows: Omit<Own, 'note'>,
): UntilHeard {
  const { stopping } = flows;
  const go = (): void => {
    // A worker that ends lets go of everybody who waits for it.
    if (stopping()) throw new StoreUnavailable('the process ends');
  };

  async function hear(): Promise<void> {
    await inbound.untilRead(stopping);
    go();
    await inbound.untilRelayed([messageStream.prefix], stopping);
    go();
    await flows.caughtUp();
    go();
  }

  // Shared: one round under way, and one behind it for all who came meanwhile.
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  function round(): Promise<void> {
    if (running === null) {
      running = hear().finally(() => (running = null));
      return running;
    }
    following ??= running.then(ignore, ignore).then(() => {
      following = null;
      return round();
    });
    return following;
  }

  let waitedAt = -Infinity;

  return async (since) => {
    const heard = await inTime(app, round()).catch((error: unknown) => {
      waitedAt = app.clock.monotonic();
      throw error;
    });
    if (!heard) throw new StoreUnavailable('what customers wrote is still being read');
    const late = app.clock.now() - since;
    const retried = app.clock.monotonic() - waitedAt > RETRIED_MS;
    if (retried && (late < OUTAGE_MS || late > AGAIN_MS)) return;
    const again = (await inbound.toReadAgain()) + (await flows.retries());
    if (again > 0) throw new StoreUnavailable('what customers wrote is yet to be read again');
  };
}

const ignore = (): void => undefined;

/** False when it takes too long; it goes on then, for whoever asks again. */
function inTime({ clock }: Pick<App, 'clock'>, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(PATIENCE_MS, () => resolve(false));
    work.then(() => resolve(true), reject).finally(cancel);
  });
}
