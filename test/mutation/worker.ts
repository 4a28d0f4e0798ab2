/** One process that runs tests: all of them once, noting the mutants that they reach, or some of them with a mutant. */
import fc from 'fast-check';
import type { Answer, DryTest, Order } from './messages.js';
import { Suites } from './suites.js';
import { MutationSwitch } from './switch.js';
import { Tries } from './tries.js';

/** Loaded modules are never freed, so a process that has grown is replaced. */
const SPENT_RSS_BYTES = 1_200_000_000;

const mutation = new MutationSwitch();
Object.assign(globalThis, { __mutation: mutation });
fc.configureGlobal({ seed: 1, endOnFailure: true });

let bundle = '';
let tries = newTries();

function newTries(): Tries<Suites> {
  return new Tries(() => new Suites(bundle, mutation), mutation);
}

async function dryRun(files: readonly string[]): Promise<Answer> {
  const atLoad = new Set<number>();
  const tests: DryTest[] = [];
  for (const file of files) tests.push(...(await dryRunOf(file, atLoad)));
  mutation.reached = null;
  return { type: 'dry', tests, atLoad: [...atLoad] };
}

async function dryRunOf(file: string, atLoad: Set<number>): Promise<readonly DryTest[]> {
  const suites = tries.clean();
  mutation.reached = atLoad;
  const { tests } = await suites.load(file);
  const reached = tests.map(() => new Set<number>());
  const ended: Omit<DryTest, 'reached'>[] = [];
  // A mutant that a hook for several tests reaches counts for each of them.
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
  // When a hook fails, its tests never begin: they are reported as failed tests.
  for (const [index, test] of tests.entries()) {
    if (test.isPending() || ended.some((one) => one.index === index)) continue;
    ended.push({ file, index, title: test.fullTitle(), ms: 0, cpuMs: 0, passed: false, loops: 0 });
  }
  return ended.map((test) => ({ ...test, reached: [...reached[test.index]!] }));
}

async function answer(order: Order): Promise<Answer> {
  if (order.bundle !== bundle) {
    bundle = order.bundle;
    tries = newTries();
  }
  if (order.type === 'dry') return dryRun(order.files);
  const outcome = await tries.tryMutant(order);
  return { type: 'mutant', outcome, spent: process.memoryUsage.rss() > SPENT_RSS_BYTES };
}

process.on('message', (order: Order) => {
  answer(order).then(
    (result) => process.send!(result),
    (error: Error) =>
      process.send!({ type: 'fault', message: error.stack ?? error.message } satisfies Answer),
  );
});
// Mocha's own command does the same. An error that arrives while no test runs was left behind by a mutant.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
process.on('uncaughtException', () => {});
// The runner has ended or has no more orders.
process.on('disconnect', () => process.exit());
