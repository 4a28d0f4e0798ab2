/**
 * Checks that a finished test file leaves nothing that keeps its process alive: no timer, no socket, no child process.
 * A leftover fails the run with the name of the file, instead of making the run hang.
 *
 * In parallel mode Mocha runs one file after the other in each worker and runs these hooks around each file.
 */
import { relative } from 'node:path';

/** Longer than an HTTP server keeps an idle connection open. */
const GRACE_MS = Number(process.env['MUST_END_MS'] ?? 30_000);

// Standard streams count as active resources once they are used, so create them before the first count.
void [process.stdin, process.stdout, process.stderr];
let idle: ReadonlyMap<string, number> = alive();

function alive(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Mocha runs a timer for every hook, even for a hook without a limit. That timer is not counted. */
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

/** A timer that has fired stays listed until the next event-loop phase. */
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
  // The next file must not be blamed for these leftovers.
  idle = aliveBesideThisHook();
  throw new Error(
    `${files.join(', ')} left behind what keeps the process alive after ${GRACE_MS / 1_000} s: ${left}. ` +
      'Close it in an after hook.',
  );
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    const root = this.test!.parent!;
    // Registered last, so that it runs after the `after` hooks of the files themselves.
    root.afterAll('leaves nothing behind', async function () {
      this.timeout(2 * GRACE_MS);
      const files = [...root.suites, ...root.tests].map(({ file }) =>
        file === undefined ? '?' : relative('.', file),
      );
      await check([...new Set(files)]);
    });
  },
};

/** In a single-process run, the check above has already reported leftovers. This forces the process to end. */
export const mochaGlobalTeardown = (): void => {
  setTimeout(() => {
    console.error(`The process does not end: ${process.getActiveResourcesInfo().join(', ')}`);
    // Mocha sets the exit code to the number of failed tests on exit. This handler runs after Mocha's.
    process.on('exit', () => (process.exitCode ||= 1));
    process.exit();
  }, GRACE_MS).unref();
};
