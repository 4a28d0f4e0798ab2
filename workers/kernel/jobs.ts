/**
 * Long work from the due-time store: a bounded number at once, lanes in turn, so that one company's large files hold up
 * nobody else's, and none holds up a topic. What fails comes back later, in the end it is given up.
 */
import type { App } from '../../application/app.js';
import { asItWas, type ClaimedEntry, type DueEntry } from '../../ports/due-times.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { ReadModelBehind } from '../../ports/read-models.js';
import type { Outcome } from './consumer.js';
import { OVERTAKEN, wasOvertaken } from './overtaken.js';
import { createTrouble } from './trouble.js';

/** @throws WorkStops; what it cuts short is put back as it was, for the next process */
export type BeforeCall = () => void;

class WorkStops extends Error {}

export interface JobOptions {
  readonly queue: string;
  readonly concurrency: number;
  /** Of one lane; fewer than `concurrency`, so that there is always a slot for somebody else. */
  readonly perLane: number;
  /** Longer than the work can take: a claim that runs out is work that somebody else may begin. */
  readonly leaseMs: number;
  readonly maxTries: number;
  /** @param beforeCall to be called right before each call of another system: once the worker stops, none begins */
  readonly handle: (payload: DueEntry['payload'], tries: number, beforeCall: BeforeCall) => Promise<Outcome>;
  /** After the last try, or when the work says that there is no point. */
  readonly giveUp: (payload: DueEntry['payload'], reason: string) => Promise<void>;
  readonly onOutcome?: (group: string, outcome: Outcome['kind']) => void;
}

export interface Jobs {
  add(lane: string, id: string, payload: DueEntry['payload']): Promise<void>;
  /** Work that waits or is under way. */
  count(): Promise<number>;
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
const AWAY_MS = 5_000;

export function startJobs(app: Pick<App, 'dueTimes' | 'clock' | 'logger'>, options: JobOptions): Jobs {
  const { dueTimes, clock, logger } = app;
  const { queue } = options;
  const looking = createTrouble(app, 'looking for work', { queue });
  const running = new Map<string, number>();
  const under = new Set<Promise<void>>();
  let stopped = false;
  let filling: Promise<void> | null = null;
  let again = false;
  let cancelPoll: () => void = () => undefined;

  const free = (): number => options.concurrency - under.size;

  async function fill(): Promise<void> {
    const now = clock.now();
    const lanes = (await dueTimes.lanes(queue, now)).filter(({ nextDueAt }) => nextDueAt <= now);
    // Who has the least under way comes first.
    lanes.sort((a, b) => (running.get(a.lane) ?? 0) - (running.get(b.lane) ?? 0));
    for (const { lane } of lanes) {
      const limit = Math.min(free(), options.perLane - (running.get(lane) ?? 0));
      if (stopped || free() === 0) return;
      if (limit <= 0) continue;
      // One at a time, so that a lane with much to do leaves slots for the next.
      const [entry] = await dueTimes.claim({ queue, lane, now, limit: 1, leaseMs: options.leaseMs });
      if (!entry) continue;
      if (stopped) return void (await dueTimes.settle([asItWas(entry)]));
      start(entry);
      if (limit > 1) again = true;
    }
  }

  function start(entry: ClaimedEntry): void {
    running.set(entry.lane, (running.get(entry.lane) ?? 0) + 1);
    const work = run(entry)
      .catch((error: unknown) =>
        logger.warn({ err: error, queue }, 'work comes back when its claim runs out'),
      )
      .finally(() => {
        under.delete(work);
        const left = running.get(entry.lane)! - 1;
        if (left > 0) running.set(entry.lane, left);
        else running.delete(entry.lane);
        look();
      });
    under.add(work);
  }

  function beforeCall(): void {
    if (stopped) throw new WorkStops();
  }

  async function run(entry: ClaimedEntry): Promise<void> {
    const { id, fence, claims, payload } = entry;
    // A store that was away is no fault of the work; a process that ended in the middle of it may be.
    const away = Number(payload['away'] ?? 0);
    const tries = claims - away;
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
      if (error instanceof WorkStops) return void (await dueTimes.settle([asItWas(entry)]));
      if (error instanceof StoreUnavailable) {
        // Said by the barrier, for all that waits.
        if (!(error instanceof ReadModelBehind))
          logger.warn({ err: error, queue }, 'work waits for a store to come back');
        const dueAt = clock.now() + AWAY_MS;
        await dueTimes.settle([
          { queue, id, fence, then: 'again', dueAt, payload: { ...payload, away: away + 1 } },
        ]);
        return;
      }
      if (wasOvertaken(error)) logger.debug({ queue, tries }, OVERTAKEN);
      else logger.error({ err: error, queue, tries }, 'work failed');
      outcome = { kind: 'later', delayMs: waitBefore(tries + 1), reason: String(error) };
    }
    options.onOutcome?.(queue, outcome.kind);
    await dueTimes.settle([
      outcome.kind === 'later'
        ? { queue, id, fence, then: 'again', dueAt: clock.now() + outcome.delayMs }
        : { queue, id, fence, then: 'done' },
    ]);
  }

  function look(): void {
    if (stopped) return;
    if (filling) {
      again = true;
      return;
    }
    again = false;
    filling = fill()
      .then(looking.worked, looking.failed)
      .finally(() => {
        filling = null;
        if (again && free() > 0) look();
      });
  }

  function poll(): void {
    cancelPoll = clock.after(POLL_MS, () => {
      look();
      poll();
    });
  }

  const unlisten = dueTimes.onScheduled((of) => {
    if (of === queue) look();
  });
  poll();
  look();

  return {
    add: (lane, id, payload) => dueTimes.schedule([{ queue, id, lane, dueAt: clock.now(), payload }]),
    count: () => dueTimes.count(queue),
    async stop() {
      stopped = true;
      cancelPoll();
      unlisten();
      await filling;
      await Promise.all(under);
    },
  };
}

/** 5 s, 10 s, 20 s, … at most half an hour. */
export const waitBefore = (attempt: number): number =>
  Math.min(1_800_000, 5_000 * 2 ** Math.max(0, attempt - 2));
