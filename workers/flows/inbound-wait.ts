/**
 * Runs before a wait for an answer times out: waits until every webhook received so far has been read and flows have
 * handled it. After an outage, a question's timeout and its answer may both be overdue at the same moment.
 */
import type { App } from '../../application/app.js';
import type { UntilInboundProcessed } from '../../application/flows/engine.js';
import { messageStream } from '../../domain/streams.js';
import { NotYet, StoreUnavailable } from '../../ports/event-store.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';
import type { Own } from '../kernel/reactor.js';

/**
 * Longest wait of one call. Its slot is then free for others, such as waits for a point in time, which skip this check.
 */
const PATIENCE_MS = 2_000;
/** A timeout that is overdue by this much was probably delayed by an outage. */
const OUTAGE_MS = 10_000;
/**
 * Time for webhooks that could not be read or handled at first: two tries after a store is back. Later retries may
 * never end.
 */
const AGAIN_MS = 120_000;
/** After a wait for a store or a read model, delayed messages are tried again within this time. */
const RETRIED_MS = 40_000;

export function createInboundWait(
  app: Pick<App, 'clock'>,
  inbound: InboundBarrier,
  flows: Omit<Own, 'note'>,
): UntilInboundProcessed {
  const { stopping } = flows;
  const go = (): void => {
    // A stopping worker releases all callers that wait for it.
    if (stopping()) throw new StoreUnavailable('the process ends');
  };

  async function processInbound(): Promise<void> {
    await inbound.untilRead(stopping);
    go();
    await inbound.untilRelayed([messageStream.prefix], stopping);
    go();
    await flows.caughtUp();
    go();
  }

  // Calls share rounds: one running, and one after it for all calls that arrived meanwhile.
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  function round(): Promise<void> {
    if (running === null) {
      running = processInbound().finally(() => (running = null));
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
    const processed = await inTime(app, round()).catch((error: unknown) => {
      waitedAt = app.clock.monotonic();
      throw error;
    });
    if (!processed) throw new NotYet('what customers wrote is still being read');
    const late = app.clock.now() - since;
    const retried = app.clock.monotonic() - waitedAt > RETRIED_MS;
    if (retried && (late < OUTAGE_MS || late > AGAIN_MS)) return;
    const again = (await inbound.toReadAgain()) + (await flows.retries());
    if (again > 0) throw new NotYet('what customers wrote is yet to be read again');
  };
}

const ignore = (): void => undefined;

/** False when it takes too long; the work then continues and serves the next call. */
function inTime({ clock }: Pick<App, 'clock'>, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(PATIENCE_MS, () => resolve(false));
    work.then(() => resolve(true), reject).finally(cancel);
  });
}
