/**
 * A file whose tests are over leaves nothing behind that keeps its process alive: no timer, no socket, no child. What it
 * leaves fails the run, with the name of the file, instead of making it wait for ever.
 *
 * In parallel mode Mocha runs one file after the other in each worker, and these hooks around each of them.
 */
import { relative } from 'node:path';

/** Longer than an idle connection of an HTTP server is kept open. */
const GRACE_MS = Number(process.env['MUST_END_MS'] ?? 30_000);

// Standard streams count as soon as they are used: they are there from the beginning.
void [process.stdin, process.stdout, process.stderr];
let idle: ReadonlyMap<string, number> = alive();

function alive(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Mocha times every hook, also one without a limit. */
function aliveBesideThisHook(): ReadonlyMap<string, number> {
  const counts = alive();
  return counts.set('Timeout', counts.get('Timeout')! - 1);
}

function leftBehind(): string {
  const more = [...aliveBesideThisHook()].map(([kind, n]) => [kind, n - (idle.get(kind) ?? 0)] as const);
  return more
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${n} ${kind}`)
    .join(', ');
}

/** Timers that have run are gone only when the loop comes to the next phase. */
async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await new Promise((resolve) => setImmediate(resolve));
}

async function check(files: readonly string[]): Promise<void> {
  await pause(0);
  const until = performance.now() + GRACE_MS;
  while (leftBehind() !== '' && performance.now() < until) await pause(20);
  const left = leftBehind();
  if (left === '') return;
  // The next file answers for its own.
  idle = aliveBesideThisHook();
  throw new Error(
    `${files.join(', ')} left behind what keeps the process alive after ${GRACE_MS / 1_000} s: ${left}. ` +
      'Close it in an after hook.',
  );
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    const root = this.test!.parent!;
    // Added last, so that it follows what the files themselves do at the end.
    root.afterAll('leaves nothing behind', async function () {
      this.timeout(2 * GRACE_MS);
      const files = [...root.suites, ...root.tests].map(({ file }) =>
        file === undefined ? '?' : relative('.', file),
      );
      await check([...new Set(files)]);
    });
  },
};

/** A run in one process has said by now what is alive, and ends all the same. */
export const mochaGlobalTeardown = (): void => {
  setTimeout(() => {
    console.error(`The process does not end: ${process.getActiveResourcesInfo().join(', ')}`);
    // Mocha puts the number of failed tests into the exit code when the process goes: this goes after it.
    process.on('exit', () => (process.exitCode ||= 1));
    process.exit();
  }, GRACE_MS).unref();
};
