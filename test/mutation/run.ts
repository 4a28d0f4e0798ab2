/** Tries mutants against one set of test files. */
import type { Bundle } from './bundle.js';
import { Coverage, isSlow } from './coverage.js';
import type { Answer, Outcome } from './messages.js';
import type { Mutant } from './mutants.js';
import { Worker } from './workers.js';

export type Verdict = Outcome | { readonly status: 'not covered' };

const DRY_RUN_TIMEOUT_MS = 20 * 60_000;
/** Includes the start of a process after the last one hung. */
const MUTANT_TIMEOUT_MS = 60_000;

/** @param woven all mutants in the bundle; `mutants`, a part of them, are tried */
export async function tryAll(
  mutants: readonly Mutant[],
  woven: readonly Mutant[],
  { url, imports }: Bundle,
  jobs: number,
  say: (line: string) => void,
): Promise<ReadonlyMap<Mutant, Verdict>> {
  const sources = new Set(mutants.map(({ file }) => file));
  const files = [...imports].filter(([, reached]) => [...sources].some((source) => reached.has(source)));
  const { tests, atLoad } = await dryRun(
    url,
    files.map(([file]) => file),
    say,
  );
  const sourceOf = new Map(woven.map(({ id, file }) => [id, file]));
  const coverage = new Coverage(tests, atLoad, imports, sourceOf);
  const verdicts = new Map<Mutant, Verdict>();
  const open = mutants.values();
  const work = async (): Promise<void> => {
    const worker = new Worker();
    for (const mutant of open) {
      const verdict = await tryOne(worker, url, mutant, coverage);
      verdicts.set(mutant, verdict);
      if (verdict.status === 'killed') coverage.countKill(mutant.file, verdict.file);
      if (verdicts.size % 200 === 0) say(`${verdicts.size} of ${mutants.length} mutants`);
    }
    worker.stop();
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return verdicts;
}

async function dryRun(
  url: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<Extract<Answer, { type: 'dry' }>> {
  const worker = new Worker();
  const answer = await worker.ask({ type: 'dry', bundle: url, files }, DRY_RUN_TIMEOUT_MS);
  worker.stop();
  if (typeof answer === 'string' || answer.type !== 'dry') {
    const why = typeof answer === 'object' && answer.type === 'fault' ? answer.message : 'its process ended';
    throw new Error(`The dry run failed: ${why}`);
  }
  const { tests } = answer;
  const failed = tests.filter(({ passed }) => !passed);
  const slow = tests.filter((test) => test.passed && isSlow(test));
  say(
    `${tests.length} tests in ${files.length} files; not used: ${slow.length} slow ones, ${failed.length} that fail`,
  );
  for (const { file, title } of failed) say(`  fails without a mutant: ${file}: ${title}`);
  return answer;
}

async function tryOne(worker: Worker, url: string, mutant: Mutant, coverage: Coverage): Promise<Verdict> {
  const { id, file } = mutant;
  const plan = coverage.planFor(id, file);
  if (plan.files.length === 0) return { status: 'not covered' };
  const order = {
    type: 'mutant',
    bundle: url,
    id,
    atLoad: coverage.isAtLoad(id),
    plan: plan.files,
    loopLimit: coverage.loopLimit,
  } as const;
  const timeout = MUTANT_TIMEOUT_MS + 5 * plan.ms;
  let answer = await worker.ask(order, timeout);
  // An earlier mutant may have left behind what ended the process.
  if (answer === 'ended') answer = await worker.ask(order, timeout);
  if (answer === 'ended') return { status: 'killed', file: plan.files[0]!.file, test: 'the process ended' };
  if (answer !== 'hung' && answer.type === 'fault')
    throw new Error(`${file}:${mutant.line}: ${answer.message}`);
  if (answer === 'hung' || answer.type !== 'mutant') return { status: 'timed out' };
  return answer.outcome;
}
