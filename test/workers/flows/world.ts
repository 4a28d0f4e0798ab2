/**
 * Flows over stores in memory, with a clock that a test moves, run by processes that die or lose their stores at a chosen
 * call. What a dead process was doing never goes on; what it had stored stays.
 */
import type { App } from '../../../application/app.js';
import type { Barrier } from '../../../application/barrier.js';
import { createExecutor } from '../../../application/execute.js';
import { relay, SENDS, type SendPointer } from '../../../application/relay.js';
import { operationStream } from '../../../domain/operation/stream.js';
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

/** Before or after what is asked for is done: the process is gone, or the store is for this call. */
export type How = 'dies before' | 'dies after' | 'fails before' | 'fails after';

export interface Fault {
  /** Counts the calls of all processes that change something. */
  readonly at: number;
  readonly how: How;
}

export interface Struck extends Fault {
  /** Call that was struck. */
  readonly what: string;
  /** Records in the history then, those of the call included where it was done. */
  readonly records: number;
}

export interface Process {
  readonly worker: RunningReactor;
  readonly isAlive: () => boolean;
}

export interface FlowWorld {
  /** Of what is not under test, which nothing happens to. */
  readonly app: App;
  readonly store: MemoryEventStore;
  readonly dueTimes: MemoryDueTimes;
  /** What went to the provider, in order. */
  readonly sent: OutboundMessage[];
  readonly struck: Struck[];
  readonly errors: unknown[];
  /** Lets the read models show everything. */
  show(): Promise<void>;
  startProcess(): Process;
  /** Ends every process: what one waits for would be waited for without an end. */
  close(): void;
  /** Until nobody does anything any more. */
  rest(): Promise<void>;
  /** The clock jumps; what was to happen meanwhile happens now. */
  leap(ms: number): Promise<void>;
  /** Calls that change something, so far. */
  calls(): number;
}

export interface WorldOptions {
  readonly faults?: readonly Fault[];
  readonly send?: (message: OutboundMessage) => SendOutcome;
  readonly request?: (request: HttpRequest) => HttpResult;
  /** How topics treat their consumers; well, when left out. */
  readonly mischief?: Mischief;
  /** Turns of the event loop that each call of a store takes, so that processes overlap. */
  readonly delays?: () => number;
  /** Says that read models are behind. */
  readonly barrier?: Barrier;
}

const MEMORY_COLLECTIONS = ['channels', 'flows'];
const START = Date.parse('2026-03-01T12:00:00.000Z');
/** More than a call is delayed by, and than a topic takes from one batch to the next. */
const QUIET_TURNS = 10;
/** While the clock stands still. */
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
  /** Grows with everything that is done. */
  let activity = 0;
  let calls = 0;
  /** What was called last, for whoever has to find out why it does not end. */
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
  // Read models always count as up to date. The worst that there is: nothing of what happens in the test is shown.
  const base = appOver(
    { store, readModels, topics: topics.port, dueTimes, keys },
    {
      clock,
      barrier: options.barrier ?? fakeBarrier(),
      provider: provider.port,
      logger: { debug: () => undefined, info: () => undefined, warn: logged, error: logged },
    },
  );
  /** Nobody waits for a drawn while, so that a case is the same each time. */
  const steady = (over: App): App => ({ ...over, executor: createExecutor({ ...over, random: () => 0 }) });
  const app = steady(base);

  const endings: (() => void)[] = [];

  function startProcess(): Process {
    let alive = true;
    endings.push(() => (alive = false));
    /** A process that has died gets no answers. */
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
