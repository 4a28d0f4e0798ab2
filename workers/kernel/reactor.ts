/**
 * Work that reacts to events, as data: `workers/all.ts` lists every reactor, and this file is what runs one. Topics, the
 * relay's subscription, lags, queue metrics, start and stop follow from the list.
 */
import type { App } from '../../application/app.js';
import type { EventPointer, Route } from '../../application/relay.js';
import type { DueEntry } from '../../ports/due-times.js';
import type { TopicMessage } from '../../ports/topics.js';
import { consumeTopic, startWorker, type Outcome, type Worker } from './consumer.js';
import { startJobs, type JobOptions } from './jobs.js';

/** @template Needs what it uses beside the application */
export interface Reactor<Needs = object> {
  /** In metrics, in `doctor` and in the log. */
  readonly name: string;
  /** Of its consumers and of what is tried again: on the wire and on disk, never changed. */
  readonly group: string;
  /** The events that concern it, and its messages for one of these. */
  readonly route: Route;
  /** How often a message that asks for more time, or throws, is tried before it is parked. Absent: the topic waits. */
  readonly maxTries?: number;
  /** Messages taken from the topic at once. */
  readonly maxBatch: number;
  /** What its timers hold, for `/metrics`. Absent: it has none. */
  readonly waitsFor?: string;
  /** Makes what one process runs of it; nothing begins before this has returned. */
  readonly begin: (app: App, needs: Needs, own: Own) => Reaction;
}

/** What a reactor can ask and say about itself. */
export interface Own extends Pick<Worker, 'caughtUp' | 'retries'> {
  stopping(): boolean;
  /** Counts what became of work that its own parts have done. */
  note(outcome: Outcome['kind']): void;
}

/** One message of the topic, or one that is tried again. Repeating it changes nothing. */
type React = (pointer: EventPointer, tries: number) => Promise<Outcome>;
/** What becomes of a batch of the topic; `react` is then for what is tried again only. */
type HandOn = (batch: readonly TopicMessage[]) => Promise<void>;

export type Reaction = Parts &
  (
    | { readonly react: React; readonly handOn?: HandOn }
    | { readonly react?: undefined; readonly handOn: HandOn }
  );

interface Parts {
  /** Work with a time of its own, by its name in `/metrics`. */
  readonly timers?: Readonly<Record<string, Timer<never>>>;
  /** What else runs and ends with it. */
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

/** A reactor without `react` tries nothing again by itself: its topic waits until a batch was handed on. */
function startTopic<Needs>(
  app: App,
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
      handle: (value, tries) => react(value as EventPointer, tries),
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
