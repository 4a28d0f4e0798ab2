/**
 * Long-running work from the due-time store. A bounded number of jobs runs at once, and lanes are served fairly, so one
 * company's large files delay neither other companies nor a topic. A failed job is retried later and finally given up.
 */
import type { App } from '../../application/app.js';
import type { ClaimedEntry, DueEntry } from '../../ports/due-times.js';
import { NotYet, StoreUnavailable } from '../../ports/event-store.js';
import { ReadModelBehind } from '../../ports/read-models.js';
import { plain } from '../lanes/policy.js';
import { startScheduler, type End } from '../lanes/scheduler.js';
import type { Outcome } from './consumer.js';
import { OVERTAKEN, wasOvertaken } from './overtaken.js';
import { createThrottledErrorLog } from './throttled-error-log.js';

/** @throws WorkStops; the interrupted job is put back unchanged, for the next process */
export type BeforeCall = () => void;

class WorkStops extends Error {}

/** @template Payload what `add`, or whoever else puts rows into the queue, gives it */
export interface JobOptions<Payload extends DueEntry['payload'] = DueEntry['payload']> {
  readonly queue: string;
  readonly concurrency: number;
  /** Limit per lane; less than `concurrency`, so that other lanes always find a free slot. */
  readonly perLane: number;
  /** Longer than the work can take: when a claim expires, another process may begin the work. */
  readonly leaseMs: number;
  readonly maxTries: number;
  /**
   * @param beforeCall to be called right before each call of another system: once the worker stops, no new call begins
   */
  readonly handle: (payload: Payload, tries: number, beforeCall: BeforeCall) => Promise<Outcome>;
  /** Called after the last try, or when the work reports that more tries are pointless. */
  readonly giveUp: (payload: Payload, reason: string) => Promise<void>;
  readonly onOutcome?: (group: string, outcome: Outcome['kind']) => void;
}

export interface Jobs {
  add(lane: string, id: string, payload: DueEntry['payload']): Promise<void>;
  /** Number of jobs that wait or run. */
  count(): Promise<number>;
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
const AWAY_MS = 5_000;

export function startJobs<Payload extends DueEntry['payload']>(
  app: Pick<App, 'dueTimes' | 'clock' | 'logger'>,
  options: JobOptions<Payload>,
): Jobs {
  const { dueTimes, clock, logger } = app;
  const { queue } = options;

  async function run({ claims, payload: given }: ClaimedEntry, stopping: () => boolean): Promise<End> {
    const payload = given as Payload;
    // Claims that failed because a store was unavailable do not count as tries. Claims of a process that died do: the
    // work may have caused it.
    const away = Number(payload['away'] ?? 0);
    const tries = claims - away;
    const beforeCall = (): void => {
      if (stopping()) throw new WorkStops();
    };
    let outcome: Outcome;
    try {
      outcome =
        tries > options.maxTries
          ? { kind: 'park', reason: `given up after ${options.maxTries} tries` }
          : await options.handle(payload, tries, beforeCall);
      if (outcome.kind === 'later' && tries >= options.maxTries) {
        outcome = { kind: 'park', reason: outcome.reason };
      }
      if (outcome.kind === 'park') await options.giveUp(payload, outcome.reason);
    } catch (error) {
      if (error instanceof WorkStops) return 'as it was';
      if (error instanceof StoreUnavailable) {
        const fields = { err: error, queue };
        if (!(error instanceof NotYet)) logger.warn(fields, 'work waits for a store to come back');
        // The barrier logs what waits for a read model, once for all waiting work.
        else if (!(error instanceof ReadModelBehind))
          logger.info(fields, 'work waits for other work of Recado');
        return { dueAt: clock.now() + AWAY_MS, payload: { ...payload, away: away + 1 } };
      }
      if (wasOvertaken(error)) logger.debug({ queue, tries }, OVERTAKEN);
      else logger.error({ err: error, queue, tries }, 'work failed');
      outcome = { kind: 'later', delayMs: waitBefore(tries + 1), reason: String(error) };
    }
    options.onOutcome?.(queue, outcome.kind);
    return outcome.kind === 'later' ? { dueAt: clock.now() + outcome.delayMs } : 'done';
  }

  const scheduler = startScheduler(app, {
    queue,
    policy: plain(options.concurrency, options.perLane),
    leaseMs: options.leaseMs,
    pollMs: POLL_MS,
    prompt: true,
    work: run,
    trouble: createThrottledErrorLog(app, 'looking for work', { queue }),
    onLost: (error) => logger.warn({ err: error, queue }, 'work comes back when its claim runs out'),
  });

  return {
    add: (lane, id, payload) => dueTimes.schedule([{ queue, id, lane, dueAt: clock.now(), payload }]),
    count: () => dueTimes.count(queue),
    stop: () => scheduler.stop(),
  };
}

/** 5 s, 10 s, 20 s, … at most half an hour. */
export const waitBefore = (attempt: number): number =>
  Math.min(1_800_000, 5_000 * 2 ** Math.max(0, attempt - 2));
