/**
 * Flows over stores in memory, with a clock that tests move. Their processes die or lose their stores at a chosen call.
 * The work of a dead process never continues; what it had stored stays.
 */
import type { App } from '../../../application/app.js';
import type { Barrier } from '../../../application/barrier.js';
import { createExecutor } from '../../../application/execute.js';
import { relay, SENDS, type SendPointer } from '../../../application/relay.js';
import { operationStream } from '../../../domain/streams.js';
import type { Clock } from '../../../ports/clock.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { HttpRequest, HttpResult } from '../../../ports/http-sender.js';
import type { OutboundMessage, SendOutcome } from '../../../ports/provider.js';
import { projections } from '../../../projections/catalog.js';
import { catchUp } from '../../../projections/runner.js';
import { startReactor, type RunningReactor } from '../../../workers/kernel/reactor.js';
import { flowReactor } from '../../../workers/flows/worker.js';
import { createBegunAttempts } from '../../../workers/sending/begun.js';
import { appOver } from '../../support/app.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { fakeProvider } from '../../support/fakes/provider.js';
import { attempt } from '../../support/sends/attempt.js';
import { memoryDueTimes, type MemoryDueTimes } from '../../support/memory/due-times.js';
import { memoryEventStore, type MemoryEventStore } from '../../support/memory/event-store.js';
import { finding } from '../../support/memory/finding.js';
import { memoryPersonalKeys } from '../../support/memory/personal-keys.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { memoryTopics, type Mischief } from '../../support/memory/topics.js';

/** Before or after the call takes effect, the process dies, or the store fails for this call. */
export type How = 'dies before' | 'dies after' | 'fails before' | 'fails after';

export interface Fault {
  /** Index among the state-changing calls of all processes. */
  readonly at: number;
  readonly how: How;
}

export interface Struck extends Fault {
  /** The call that was struck. */
  readonly what: string;
  /** Length of the history at that moment, including the records of the call if it took effect. */
  readonly records: number;
}

export interface Process {
  readonly worker: RunningReactor;
  readonly isAlive: () => boolean;
}

export interface FlowWorld {
  /** The app of everything that is not under test: faults never strike it. */
  readonly app: App;
  readonly store: MemoryEventStore;
  readonly dueTimes: MemoryDueTimes;
  /** Messages sent to the provider, in order. */
  readonly sent: OutboundMessage[];
  readonly struck: Struck[];
  readonly errors: unknown[];
  /** Brings the read models of channels and flows up to date. */
  show(): Promise<void>;
  startProcess(): Process;
  /** Ends every process: a call that one of them waits for never returns. */
  close(): void;
  /** Waits until no process does anything any more. */
  rest(): Promise<void>;
  /** Moves the clock; everything that became due in between happens now. */
  leap(ms: number): Promise<void>;
  /** Number of state-changing calls so far. */
  calls(): number;
}

export interface WorldOptions {
  readonly faults?: readonly Fault[];
  readonly send?: (message: OutboundMessage) => SendOutcome;
  readonly request?: (request: HttpRequest) => HttpResult;
  /** How topics deliver to their consumers; correctly, when left out. */
  readonly mischief?: Mischief;
  /** Event-loop ticks that each call of a store takes, so that processes overlap. */
  readonly delays?: () => number;
  /** Reports that read models are behind. */
  readonly barrier?: Barrier;
}

const MEMORY_COLLECTIONS = ['channels', 'flows'];
const START = Date.parse('2026-03-01T12:00:00.000Z');
/** More ticks than a call is delayed by, and than a topic needs from one batch to the next. */
const QUIET_TURNS = 10;
/** Limit of calls while the clock stands still. */
const MOST_CALLS = 20_000;
const RECENT = 30;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = (): Promise<never> => new Promise<never>(() => undefined);

export function createFlowWorld(options: WorldOptions = {}): FlowWorld {
  const { faults = [], delays = () => 0 } = options;
  let now = START;
  let timers: { readonly at: number; readonly task: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after(ms, task) {
      const timer = { at: now + Math.max(0, ms), task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  /** Counts everything that happens. */
  let activity = 0;
  let calls = 0;
  /** The last calls, for the error when a test never comes to rest. */
  const recent: string[] = [];
  const struck: Struck[] = [];
  const errors: unknown[] = [];

  const inner = memoryEventStore();
  const dueTimes = memoryDueTimes(() => now);
  const topics = memoryTopics(options.mischief);
  const store: MemoryEventStore = {
    ...inner,
    async append(stream, expected, records) {
      const before = inner.records.length;
      const result = await inner.append(stream, expected, records);
      topics.log(inner.records.slice(before).flatMap((record) => relay(record)));
      return result;
    },
  };
  const readModels = finding(memoryReadModels());
  const keys = memoryPersonalKeys();
  const logged = (fields: object): void => {
    errors.push((fields as { readonly err?: unknown }).err ?? fields);
  };
  const provider = fakeProvider();
  if (options.send) provider.answer = options.send;
  // The barrier always reports read models as up to date. In the worst case they show nothing that happens in the test.
  const base = appOver(
    { store, readModels, topics: topics.port, dueTimes, keys },
    {
      clock,
      barrier: options.barrier ?? fakeBarrier(),
      provider: provider.port,
      logger: { debug: () => undefined, info: () => undefined, warn: logged, error: logged },
    },
  );
  /** The executor's waits are not random, so that a case is the same each time. */
  const steady = (over: App): App => ({ ...over, executor: createExecutor({ ...over, random: () => 0 }) });
  const app = steady(base);

  const endings: (() => void)[] = [];

  function startProcess(): Process {
    let alive = true;
    endings.push(() => (alive = false));
    /** Calls of a process that has died never return. */
    async function mortal<T>(what: string, changes: boolean, work: () => Promise<T>): Promise<T> {
      if (!alive) return never();
      activity += 1;
      recent.push(what);
      if (recent.length > RECENT) recent.shift();
      for (let left = delays(); left > 0; left -= 1) await turn();
      if (!alive) return never();
      const fault = changes ? faults.find(({ at }) => at === calls) : undefined;
      if (changes) calls += 1;
      if (fault === undefined) {
        const answer = await work();
        return alive ? answer : never();
      }
      const { how } = fault;
      if (how.endsWith('after')) await work().catch(() => undefined);
      struck.push({ ...fault, what, records: inner.records.length });
      if (how.startsWith('fails')) throw new StoreUnavailable(`${what} has failed`);
      alive = false;
      return never();
    }
    const ownStore: MemoryEventStore = {
      ...store,
      append: (stream, expected, records) =>
        mortal(`append ${records.map(({ type }) => type).join('+')}`, true, () =>
          store.append(stream, expected, records),
        ),
      read: (stream, range) => mortal('read', false, () => store.read(stream, range)),
    };
    const ownClock: Clock = {
      now: () => now,
      monotonic: () => now,
      after: (ms, task) => clock.after(ms, () => void (alive && task())),
    };
    const own = steady({
      ...app,
      store: ownStore,
      clock: ownClock,
      dueTimes: {
        ...dueTimes,
        schedule: (entries) =>
          mortal(`schedule ${entries[0]?.queue}`, true, () => dueTimes.schedule(entries)),
        claim: (claim) => {
          const due = dueTimes.rows(claim.queue).some(({ dueAt }) => dueAt <= now);
          return mortal(`claim ${claim.queue}`, due, () => dueTimes.claim(claim));
        },
        settle: (settlements) =>
          mortal(`settle ${settlements[0]?.queue}`, true, () => dueTimes.settle(settlements)),
        cancel: (queue, ids) => mortal(`cancel ${queue}`, true, () => dueTimes.cancel(queue, ids)),
        onScheduled: (listener) =>
          dueTimes.onScheduled((queue, lane, at) => void (alive && listener(queue, lane, at))),
      },
      topics: topics.over(
        (work) => mortal('commit of the topic', true, work),
        () => alive,
      ),
      sender: {
        ...app.sender,
        request: (request) =>
          mortal('call of another system', true, async () => {
            if (!options.request) throw new Error('nobody is called here');
            return options.request(request);
          }),
      },
    });
    const worker = startReactor(own, flowReactor, {});
    return { worker, isAlive: () => alive };
  }

  const begun = createBegunAttempts();
  let attempts = 0;
  app.topics.consume({
    topic: SENDS,
    group: 'sending',
    async handle(batch) {
      for (const { value } of batch) {
        activity += 1;
        const operation = operationStream.match((value as SendPointer).stream)!;
        await attempt(app, operation, { fence: (attempts += 1), begun });
      }
    },
    onError: (error) => errors.push(error),
  });

  async function rest(): Promise<void> {
    const most = activity + MOST_CALLS;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      const before = activity;
      await turn();
      if (before !== activity) quiet = -1;
      if (activity > most) throw new Error(`no end of it: ${recent.join(', ')}`);
    }
  }

  return {
    app,
    store,
    dueTimes,
    sent: provider.sent,
    struck,
    errors,
    calls: () => calls,
    async show() {
      for (const projection of projections) {
        if (MEMORY_COLLECTIONS.includes(projection.name)) await catchUp(projection, app);
      }
    },
    startProcess,
    close: () => endings.forEach((end) => end()),
    rest,
    async leap(ms) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
      timers = timers.filter((timer) => !due.includes(timer));
      for (const { task } of due) task();
      await rest();
    },
  };
}
