/**
 * Mutation testing: `npm run test:mutation [-- PATH…] [--sample N] [--min SCORE] [--jobs N] [--unit]
 * [--tests PATH]`.
 * See docs/testing.md.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.js';
import { findMutants, type MutatedFile, type Mutant } from './mutants.js';
import { isNoEffect, noEffectWithoutMutant } from './no-effect.js';
import { report } from './report.js';
import { tryAll, type Verdict } from './run.js';
import { weave } from './weave.js';

const FOLDERS = ['domain', 'application/send', 'application/flows', 'workers'];
/** Suites that start processes or servers of their own for nearly every test. */
const SLOW_SUITES = /^test\/(cli|real|support|conformance|deploy|docs|bench|mutation)\//;

/** Kills without a failing test. */
const UNRUN = new Set(['the file could not be loaded', 'the process ended']);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    min: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    unit: { type: 'boolean', default: false },
    tests: { type: 'string', default: 'test' },
  },
});
const sample = Number(values.sample);
const began = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`);

const mutated = await findAll(positionals.length > 0 ? positionals : FOLDERS);
const all = mutated.flatMap(({ mutants }) => mutants);
for (const { file, original, replacement } of noEffectWithoutMutant(
  all,
  mutated.map(({ file }) => file),
)) {
  throw new Error(
    `no-effect.ts names a mutant that is not there any more: ${file}: ${original} → ${replacement}`,
  );
}
const effective = all.filter((mutant) => !isNoEffect(mutant));
const chosen = effective.filter(isInSample);
say(
  `${all.length} mutants in ${mutated.length} files; ${all.length - effective.length} without effect left out`,
);
if (sample > 1) say(`THIS IS A SAMPLE: ${chosen.length} of them, one in ${sample}`);

const folder = await mkdtemp(join(tmpdir(), 'recado-mutation-'));
await symlink(resolve('node_modules'), join(folder, 'node_modules'));
const woven = new Map(mutated.map((file) => [file.file, weave(file)]));
const verdicts = new Map<Mutant, Verdict>();
let left: readonly Mutant[] = chosen;
for (const tier of values.unit ? ['unit'] : ['unit', 'int']) {
  if (left.length === 0) break;
  say(`${left.length} mutants against the ${tier} tests`);
  const testFiles = (await filesBelow(values.tests)).filter(
    (file) => file.endsWith(`.${tier}.ts`) && !SLOW_SUITES.test(file),
  );
  const bundled = await bundle(testFiles, woven, join(folder, `${tier}.mjs`));
  const found = await tryAll(left, all, bundled, Number(values.jobs), say);
  for (const [mutant, verdict] of found) {
    // A mutant that a unit test reached, but no test of the next tier, has survived all the same.
    const known = verdicts.get(mutant);
    if (known === undefined || verdict.status !== 'not covered') verdicts.set(mutant, verdict);
  }
  const loads = [...found].filter(([, verdict]) => verdict.status === 'killed' && UNRUN.has(verdict.test));
  if (loads.length > 0) say(`${loads.length} killed because a file did not load or the process ended`);
  left = left.filter((mutant) => ['survived', 'not covered'].includes(verdicts.get(mutant)!.status));
}

const { table, survivors, score } = report(verdicts);
const list = join(folder, 'survivors.txt');
await writeFile(list, `${survivors}\n`);
say('done');
console.log(`\n${survivors}\n\n${table}`);
console.log(
  `\n${sample > 1 ? `A sample of one mutant in ${sample}. ` : ''}Mutants that were not killed: ${list}`,
);
if (score < Number(values.min)) {
  console.error(`The score is ${score.toFixed(1)} %, below the ${values.min} % that --min asks for.`);
  process.exitCode = 1;
}

async function findAll(paths: readonly string[]): Promise<readonly MutatedFile[]> {
  const found: MutatedFile[] = [];
  let firstId = 0;
  for (const path of paths) {
    for (const file of await filesBelow(path)) {
      if (!file.endsWith('.ts')) continue;
      const one = findMutants(file, await readFile(file, 'utf8'), firstId);
      firstId += one.mutants.length;
      found.push(one);
    }
  }
  return found;
}

async function filesBelow(path: string): Promise<readonly string[]> {
  const own = relative(process.cwd(), resolve(path));
  if ((await stat(own)).isFile()) return [own];
  const entries = await readdir(own, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function isInSample({ file, line, mutator, original, replacement }: Mutant): boolean {
  const hash = createHash('sha256').update([file, line, mutator, original, replacement].join('\n'));
  return hash.digest().readUInt32BE() % sample === 0;
}
