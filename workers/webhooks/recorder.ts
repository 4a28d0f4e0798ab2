/**
 * Makes verdicts durable in batches: deliveries and attempts first, rows after, so that a crash in between leaves a
 * document that is ahead of its row (which the next holder sees) and never a row that ended without a record.
 *
 * A store that fails is asked again, with growing pauses, and nothing is sent again on its account.
 */
import type { Clock } from '../../ports/clock.js';
import type { DueTimes } from '../../ports/due-times.js';
import type { DocumentWrite, ReadModels } from '../../ports/read-models.js';
import type { Verdict } from './attempt.js';
import { DELIVERIES, DELIVERY_ATTEMPTS } from './documents.js';

const MAX_BATCH = 500;
const MAX_PAUSE_MS = 5000;

export interface Recorder {
  /** Resolves when the verdict is durable; false when another holder had taken the row over. */
  record(verdict: Verdict): Promise<boolean>;
  /** Verdicts not yet durable. */
  backlog(): number;
}

interface Waiting {
  readonly verdict: Verdict;
  readonly resolve: (effective: boolean) => void;
}

export function createRecorder(deps: {
  readonly dueTimes: DueTimes;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}): Recorder {
  const waiting: Waiting[] = [];
  let backlog = 0;
  let running = false;

  async function write(batch: readonly Waiting[]): Promise<readonly boolean[]> {
    const pick = (of: 'delivery' | 'attempt'): DocumentWrite[] =>
      batch.flatMap(({ verdict }) => verdict[of] ?? []);
    const deliveries = pick('delivery');
    const attempts = pick('attempt');
    await Promise.all([
      deliveries.length > 0 ? deps.readModels.write(DELIVERIES, deliveries) : undefined,
      attempts.length > 0 ? deps.readModels.write(DELIVERY_ATTEMPTS, attempts) : undefined,
    ]);
    return deps.dueTimes.settle(batch.map(({ verdict }) => verdict.settlement));
  }

  async function run(): Promise<void> {
    running = true;
    let pauseMs = 100;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      try {
        const effective = await write(batch);
        waiting.splice(0, batch.length);
        backlog -= batch.length;
        batch.forEach(({ resolve }, index) => resolve(effective[index] ?? false));
        pauseMs = 100;
      } catch (error) {
        deps.onError(error);
        const pause = pauseMs;
        await new Promise<void>((resolve) => deps.clock.after(pause, resolve));
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
      }
    }
    running = false;
  }

  return {
    record: (verdict) =>
      new Promise((resolve) => {
        waiting.push({ verdict, resolve });
        backlog += 1;
        // What is judged in the same turn of the event loop goes into the same batch.
        if (!running) {
          running = true;
          setImmediate(() => void run());
        }
      }),
    backlog: () => backlog,
  };
}
