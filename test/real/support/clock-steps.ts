/**
 * Loaded before the product: a wall clock that a test can set. Each SIGUSR2 applies the next step of CLOCK_STEPS, given
 * in milliseconds and separated by commas. Timers and `performance.now()` are not affected, as when a clock is really
 * set.
 */
const steps = (process.env['CLOCK_STEPS'] ?? '').split(',').map(Number);
const real = Date.now;
let offset = 0;

Date.now = () => real() + offset;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[]) =>
    args.length === 0 ? new target(Date.now()) : new target(...(args as [string])),
});

process.on('SIGUSR2', () => {
  offset += steps.shift() ?? 0;
});

export {};
