/**
 * Makes updates of deliveries durable in batches: deliveries and attempts first, rows after. A crash in between leaves
 * a document that is ahead of its row (which the next holder sees), and never a row that ended without a record. A row
 * in memory may end first: its topic waits for the record.
 *
 * When a store fails, the recorder retries with growing pauses. No delivery is sent again because of that, unless the
 * process ends meanwhile.
 */
import type { Clock } from '../../ports/clock.js';
import type { DueTimes } from '../../ports/due-times.js';
import type { DocumentWrite, ReadModels } from '../../ports/read-models.js';
import { createBell } from '../../ports/waiting.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import { deliveryAttempts, type DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';
import type { DeliveryUpdate } from './attempt.js';

/** Three writes each; the embedded store takes about 200 in one transaction. */
const MAX_BATCH = 64;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

export interface Recorder {
  /**
   * Resolves when the update is durable; false when another holder had claimed the row, or when the update was given
   * up.
   */
  record(update: DeliveryUpdate): Promise<boolean>;
  /**
   * Gives up the updates that a store does not take from now on: their rows come back when their leases expire, and are
   * sent again.
   */
  letGo(): void;
  /** Updates not yet durable. */
  backlog(): number;
}

interface Waiting {
  readonly update: DeliveryUpdate;
  readonly resolve: (effective: boolean) => void;
}

const changedBy = (some: readonly Waiting[]): readonly DocumentWrite<DeliveryDoc>[] =>
  some.flatMap(({ update }) => update.delivery ?? []);

export function createRecorder(deps: {
  readonly dueTimes: DueTimes;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly gatherMs: number;
  readonly onError: (error: unknown) => void;
}): Recorder {
  const waiting: Waiting[] = [];
  let running = false;
  let lettingGo = false;
  const bell = createBell(deps.clock);
  let lastRun = -Infinity;

  async function write(batch: readonly Waiting[]): Promise<readonly boolean[]> {
    const attempts = batch.flatMap(({ update }) => update.attempt ?? []);
    await Promise.all([writeDeliveries(batch), writeAttempts(attempts)]);
    return deps.dueTimes.settle(batch.map(({ update }) => update.settlement));
  }

  async function writeDeliveries(batch: readonly Waiting[]): Promise<void> {
    const soon = batch.filter(({ update }) => update.until?.() === true);
    const atOnce = batch.filter((one) => !soon.includes(one));
    const refused = new Set((await Promise.all([writeSoon(soon), writeNow(atOnce)])).flat());
    if (refused.size === 0) return;
    const elsewhere = batch.flatMap(({ update: { delivery, contained } }) =>
      contained && delivery && refused.has(delivery.id) ? contained : [],
    );
    await writeAttempts(elsewhere);
  }

  async function writeNow(some: readonly Waiting[]): Promise<readonly string[]> {
    const changed = changedBy(some);
    return changed.length > 0 ? deps.readModels.write(deliveries.name, changed, { gather: true }) : [];
  }

  /** A row in memory that ends would let its topic pass the message, which waits for what became of it. */
  async function writeSoon(some: readonly Waiting[]): Promise<readonly string[]> {
    const changed = changedBy(some);
    if (changed.length === 0) return [];
    const { refused, durable } = await deps.readModels.writeSoon(deliveries.name, changed);
    const stored = some.filter(({ update }) => update.until?.(durable) !== true);
    if (stored.length > 0) await durable;
    return refused;
  }

  async function writeAttempts(attempts: readonly DocumentWrite<DeliveryAttemptDoc>[]): Promise<void> {
    if (attempts.length > 0) await deps.readModels.write(deliveryAttempts.name, attempts, { gather: true });
  }

  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      try {
        const effective = await write(batch);
        waiting.splice(0, batch.length);
        batch.forEach(({ resolve }, index) => resolve(effective[index] ?? false));
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        deps.onError(error);
        if (lettingGo) {
          for (const { resolve } of waiting.splice(0)) resolve(false);
          break;
        }
        await bell.wait(pauseMs);
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
        continue;
      }
      if (waiting.length < MAX_BATCH) break;
    }
    lastRun = deps.clock.monotonic();
    running = false;
    if (waiting.length > 0) runSoon();
  }

  function runSoon(): void {
    if (running) return;
    running = true;
    const gather = lastRun + deps.gatherMs - deps.clock.monotonic();
    if (gather > 0) deps.clock.after(gather, () => void run());
    // Updates of the same event-loop tick go into the same batch.
    else setImmediate(() => void run());
  }

  return {
    record: (update) =>
      new Promise((resolve) => {
        waiting.push({ update, resolve });
        runSoon();
      }),
    letGo() {
      lettingGo = true;
      bell.ring();
    },
    backlog: () => waiting.length,
  };
}
