/**
 * Loaded before the product: a wall clock that somebody sets. Each SIGUSR2 takes the next step of CLOCK_STEPS,
 * milliseconds with commas between. Timers and `performance.now()` go on, as they do when a clock is set.
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
