/** One process that runs tests: all of them once with notes of what they reach, or some of them with a mutant. */
import fc from 'fast-check';
import type { Answer, DryTest, FilePlan, Order, Outcome } from './messages.js';
import { Suites, type Failure } from './suites.js';
import { MutationSwitch } from './switch.js';

/** Modules that were loaded are never freed: a process that grew is replaced. */
const SPENT_RSS_BYTES = 1_200_000_000;

const mutation = new MutationSwitch();
Object.assign(globalThis, { __mutation: mutation });
fc.configureGlobal({ seed: 1, endOnFailure: true });

let bundle = '';
let clean: Suites | null = null;

function cleanSuites(): Suites {
  mutation.active = -1;
  clean ??= new Suites(bundle, mutation);
  return clean;
}

async function dryRun(files: readonly string[]): Promise<Answer> {
  const atLoad = new Set<number>();
  const tests: DryTest[] = [];
  for (const file of files) tests.push(...(await dryRunOf(file, atLoad)));
  mutation.reached = null;
  return { type: 'dry', tests, atLoad: [...atLoad] };
}

async function dryRunOf(file: string, atLoad: Set<number>): Promise<readonly DryTest[]> {
  const suites = cleanSuites();
  mutation.reached = atLoad;
  const { tests } = await suites.load(file);
  const reached = tests.map(() => new Set<number>());
  const ended: Omit<DryTest, 'reached'>[] = [];
  // What a hook for several tests reaches counts for each of them.
  let hook: { readonly indexes: readonly number[]; readonly reached: Set<number> } | null = null;
  const endHook = (): void => {
    for (const index of hook?.indexes ?? []) for (const id of hook!.reached) reached[index]!.add(id);
    hook = null;
  };
  let from = 0;
  let cpu = process.cpuUsage();
  await suites.run(file, [...tests.keys()], {
    before(indexes) {
      endHook();
      hook = { indexes, reached: new Set() };
      mutation.reached = hook.reached;
    },
    begin(index) {
      endHook();
      mutation.reached = reached[index]!;
      from = performance.now();
      cpu = process.cpuUsage();
    },
    end(index, test) {
      if (test.isPending()) return;
      const passed = test.isPassed();
      const ms = performance.now() - from;
      const { user, system } = process.cpuUsage(cpu);
      const cpuMs = (user + system) / 1_000;
      ended.push({ file, index, title: test.fullTitle(), ms, cpuMs, passed, loops: mutation.loops });
    },
  });
  // Where a hook fails, its tests do not begin: they are told of as tests that fail.
  for (const [index, test] of tests.entries()) {
    if (test.isPending() || ended.some((one) => one.index === index)) continue;
    ended.push({ file, index, title: test.fullTitle(), ms: 0, cpuMs: 0, passed: false, loops: 0 });
  }
  return ended.map((test) => ({ ...test, reached: [...reached[test.index]!] }));
}

async function tryMutant(order: Extract<Order, { type: 'mutant' }>): Promise<Outcome> {
  const { id, atLoad } = order;
  mutation.loopLimit = order.loopLimit;
  let { plan } = order;
  for (;;) {
    let suites = cleanSuites();
    if (atLoad) {
      mutation.active = id;
      suites = new Suites(bundle, mutation);
    }
    const found = await firstFailure(suites, plan, order);
    mutation.active = -1;
    if (found === null) return { status: 'survived' };
    const { file, failure } = found;
    if (failure === 'load') {
      await cleanSuites().load(file);
      return { status: 'killed', file, test: 'the file could not be loaded' };
    }
    if (failure.timedOut) {
      clean = null;
      return { status: 'timed out' };
    }
    const killed: Outcome = { status: 'killed', file, test: failure.title };
    if ((await cleanSuites().run(file, [failure.index])) === null) return killed;
    // It fails without the mutant too: an earlier mutant left something behind, or the test needs the ones before it.
    clean = null;
    if ((await cleanSuites().run(file, [failure.index])) !== null) {
      plan = plan.map((part) =>
        part.file === file ? { file, tests: part.tests.filter((index) => index !== failure.index) } : part,
      );
    } else if (atLoad) return killed;
  }
}

async function firstFailure(
  suites: Suites,
  plan: readonly FilePlan[],
  { id, atLoad }: Extract<Order, { type: 'mutant' }>,
): Promise<{ file: string; failure: Failure | 'load' } | null> {
  await suites.bundle;
  for (const { file, tests } of plan) {
    if (tests.length === 0) continue;
    mutation.loops = 0;
    // Suites that other mutants use too are loaded as they are.
    mutation.active = atLoad ? id : -1;
    try {
      await suites.load(file);
    } catch (error) {
      if (atLoad) return { file, failure: 'load' };
      throw error;
    }
    mutation.active = id;
    const failure = await suites.run(file, tests);
    if (failure !== null) return { file, failure };
  }
  return null;
}

async function answer(order: Order): Promise<Answer> {
  if (order.bundle !== bundle) {
    bundle = order.bundle;
    clean = null;
  }
  if (order.type === 'dry') return dryRun(order.files);
  const outcome = await tryMutant(order);
  return { type: 'mutant', outcome, spent: process.memoryUsage.rss() > SPENT_RSS_BYTES };
}

process.on('message', (order: Order) => {
  answer(order).then(
    (result) => process.send!(result),
    (error: Error) =>
      process.send!({ type: 'fault', message: error.stack ?? error.message } satisfies Answer),
  );
});
// As Mocha's own command does; what comes when no test runs is a remainder of a mutant.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
process.on('uncaughtException', () => {});
// The runner has ended or has no more orders.
process.on('disconnect', () => process.exit());
