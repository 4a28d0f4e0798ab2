/**
 * `npm run test:real [-- suite …]`: runs the product's suites on real servers, which start once. Without arguments, all
 * suites. `--gate` runs the part of each that the gate runs. `--prepare` starts every server once and stops it, so that
 * everything that must be downloaded is on this machine.
 *
 * EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS and S3_ENDPOINT name existing servers.
 */
import { spawn } from 'node:child_process';
import { startControl } from './control.js';
import { revive } from './revive.js';
import { findStack, type Stack } from './stack.js';
import { absentFiles, GATE, SUITES, type Suite } from './suites.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** Seconds after the limit until a suite that does not end on request is killed. */
const KILL_AFTER_S = 20;
const TIMED_OUT = [124, 137];

async function main(args: readonly string[]): Promise<number> {
  const [flags, asked] = [true, false].map((flag) => args.filter((arg) => arg.startsWith('--') === flag));
  const suites = flags!.includes('--gate') ? GATE : SUITES;
  const unknown = [
    ...flags!.filter((flag) => !['--gate', '--prepare'].includes(flag)),
    ...asked!.filter((name) => !(name in suites)),
  ];
  if (unknown.length > 0) {
    say(`There is no suite ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`);
    return 2;
  }
  const absent = absentFiles(suites);
  if (absent.length > 0) {
    say(`test/real/suites.ts names files that are not there: ${absent.join(', ')}.`);
    return 2;
  }
  const stack = await findStack(process.env, say);
  try {
    if (flags!.includes('--prepare')) return 0;
    const chosen = Object.entries(suites).filter(([name]) => asked!.length === 0 || asked!.includes(name));
    return await runAll(stack, chosen);
  } finally {
    await stack.stop();
  }
}

async function runAll(stack: Stack, suites: readonly (readonly [string, Suite])[]): Promise<number> {
  const control = await startControl(stack);
  const env = Object.assign(
    {},
    ...[...stack.found.values()].map((origin) => origin.env),
  ) as NodeJS.ProcessEnv;
  let failed = 0;
  try {
    for (const [name, suite] of suites) {
      say(`\n== real: ${name}`);
      if (suite.seconds) say(`== real: ${name} has a budget of ${suite.seconds.budget} s`);
      const lacking = suite.needs.filter((server) => stack.missing.has(server));
      if (lacking.length > 0) {
        say(
          `SKIPPED: it needs ${lacking.map((server) => `${server} (${stack.missing.get(server)!})`).join(', ')}`,
        );
        say('  1 pending');
        say(`== real: ${name} ended with 0`);
        continue;
      }
      // Revives servers that an earlier suite left dead or paused. If that fails, the next suites fail.
      for (const line of await revive(stack)) say(line);
      const code = await mocha(suite, { ...env, ...control.env, ...suite.env });
      if (TIMED_OUT.includes(code)) say(`FAILED: it was ended after ${suite.seconds!.limit} s, its limit.`);
      say(`== real: ${name} ended with ${code}`);
      failed += code === 0 ? 0 : 1;
    }
  } finally {
    await control.close();
  }
  return failed === 0 ? 0 : 1;
}

function mocha(suite: Suite, env: NodeJS.ProcessEnv): Promise<number> {
  const limit = suite.seconds ? ['timeout', '-k', String(KILL_AFTER_S), String(suite.seconds.limit)] : [];
  const child = spawn(
    'bash',
    ['test/timed.sh', ...limit, 'npx', 'mocha', ...(suite.args ?? []), ...suite.files],
    { stdio: 'inherit', env: { ...process.env, ...env } },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

process.exitCode = await main(process.argv.slice(2));
