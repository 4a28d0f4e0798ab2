/**
 * Work that reacts to events, described as data: `workers/all.ts` lists every reactor, and this file runs one. Topics,
 * the relay's subscription, lags, queue metrics, start and stop all follow from that list.
 */
import type { App } from '../../application/app.js';
import type { EventPointer, Route } from '../../application/relay.js';
import type { DueEntry } from '../../ports/due-times.js';
import type { OpenBatch } from '../../ports/topics.js';
import { consumeTopic, startWorker, type HandOn, type Outcome, type Worker } from './consumer.js';
import { startJobs, type JobOptions } from './jobs.js';

/** @template Needs dependencies beside the application */
export interface Reactor<Needs = object> {
  /** The name in metrics, in `doctor` and in the log. */
  readonly name: string;
  /** Name of its consumer group and of its retry queue: stored on the wire and on disk, never changed. */
  readonly group: string;
  /** The events that concern it, and the topic messages made from one of them. */
  readonly route: Route;
  /** Tries of a message that asks for more time, or throws, before it is parked. Absent: the topic waits. */
  readonly maxTries?: number;
  /** Most messages taken from the topic at once. */
  readonly maxBatch: number;
  /** Description of its timers' rows, for `/metrics`. Absent: it has no timers. */
  readonly waitsFor?: string;
  /** Creates the parts that one process runs; none of them may start before this has returned. */
  readonly begin: (app: App, needs: Needs, own: Own) => Reaction;
}

/** Lets a reactor query and report its own state. */
export interface Own extends Pick<Worker, 'caughtUp' | 'retries'> {
  stopping(): boolean;
  /** Counts the result of work that its own parts have done. */
  note(outcome: Outcome['kind']): void;
}

/** Handles one message of the topic, or a retry of one. Must be idempotent. @param open absent for a retry */
type React = (pointer: EventPointer, tries: number, open?: OpenBatch) => Promise<Outcome>;

export type Reaction = Parts &
  (
    | { readonly react: React; readonly handOn?: HandOn }
    /** `react` is used only for retries where `handOn` is given. */
    | { readonly react?: undefined; readonly handOn: HandOn }
  );

interface Parts {
  /** Scheduled work, by its name in `/metrics`. */
  readonly timers?: Readonly<Record<string, Timer<never>>>;
  /** Other parts that run and stop with the reactor. */
  readonly beside?: readonly Beside[];
}

export type Timer<Payload extends DueEntry['payload']> = Omit<JobOptions<Payload>, 'onOutcome'>;

export interface Beside {
  stop(): Promise<void>;
  /** Counts in the reactor's lag. */
  waiting?(): Promise<number>;
  caughtUp?(): Promise<void>;
}

export interface RunningReactor extends Worker, Pick<Reactor, 'name' | 'waitsFor'> {
  /** The number of due-time rows of each timer; an empty object for a reactor without timers. */
  waiting(): Promise<Readonly<Record<string, number>>>;
}

export type OnOutcome = (group: string, outcome: Outcome['kind']) => void;

/** A reactor without `react` has no retries: its topic waits until `handOn` has handled the batch. */
function startTopic<Needs>(
  app: Pick<App, 'clock' | 'dueTimes' | 'logger' | 'readModels' | 'topics'>,
  { group, route: { topic }, maxBatch, maxTries = Infinity }: Reactor<Needs>,
  { react, handOn }: Reaction,
  onOutcome?: OnOutcome,
): Worker {
  if (react) {
    return startWorker(app, {
      topic,
      group,
      maxTries,
      maxBatch,
      handle: (value, tries, open) => react(value as EventPointer, tries, open),
      ...(handOn ? { handOn } : {}),
      ...(onOutcome ? { onOutcome } : {}),
    });
  }
  return { ...consumeTopic(app, { topic, group, maxBatch }, handOn), retries: async () => 0 };
}

export function startReactor<Needs>(
  app: App,
  reactor: Reactor<Needs>,
  needs: Needs,
  onOutcome?: OnOutcome,
): RunningReactor {
  const noted = onOutcome ? { onOutcome } : {};
  let stopped = false;
  const own: Own = {
    caughtUp: () => worker.caughtUp(),
    retries: () => worker.retries(),
    stopping: () => stopped,
    note: (outcome) => onOutcome?.(reactor.group, outcome),
  };
  const reaction = reactor.begin(app, needs, own);
  const { timers = {}, beside = [] } = reaction;
  const worker = startTopic(app, reactor, reaction, onOutcome);
  const running = Object.entries(timers).map(
    ([name, timer]) => [name, startJobs(app, { ...timer, ...noted })] as const,
  );
  return {
    name: reactor.name,
    ...(reactor.waitsFor === undefined ? {} : { waitsFor: reactor.waitsFor }),
    async lag() {
      const counts = await Promise.all([
        worker.lag(),
        ...beside.map(async (part) => (await part.waiting?.()) ?? 0),
      ]);
      return counts.reduce((all, count) => all + count, 0);
    },
    async caughtUp() {
      await worker.caughtUp();
      await Promise.all(beside.map(async (part) => part.caughtUp?.()));
    },
    retries: () => worker.retries(),
    async waiting() {
      const counts = running.map(async ([name, jobs]) => [name, await jobs.count()] as const);
      return Object.fromEntries(await Promise.all(counts));
    },
    async stop() {
      stopped = true;
      await Promise.all([worker, ...running.map(([, jobs]) => jobs), ...beside].map((part) => part.stop()));
    },
  };
}
