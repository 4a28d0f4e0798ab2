/**
 * A run whose tests are over has to end by itself: what goes on then is a timer, a socket or a process that the product or
 * a test forgot. It is named, and the run fails instead of waiting for ever.
 */
const GRACE_MS = 60_000;

export const mochaGlobalTeardown = (): void => {
  setTimeout(() => {
    const alive = process.getActiveResourcesInfo();
    console.error(
      `The tests are over and the process does not end after ${GRACE_MS / 1_000} s: ${alive.join(', ')}`,
    );
    // Mocha puts the number of failed tests into the exit code when the process goes: this goes after it.
    process.on('exit', () => (process.exitCode = 1));
    process.exit();
  }, GRACE_MS).unref();
};
