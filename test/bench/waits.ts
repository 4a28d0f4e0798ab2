/** Load and waits that several benches share. */

const PATIENCE_MS = 10 * 60_000;

/** A process compiles its code for some twenty seconds under load: only then is the cost of a message its own. */
export const WARM_UP_SECONDS = Number(process.env['BENCH_WARM_UP'] ?? 30);
/** Messages a second while the product warms up, and all of them. */
export const WARM_UP_RATE = 100;
export const WARM_UP = WARM_UP_RATE * WARM_UP_SECONDS;

/** Open loop: starts `count` calls of `send` on schedule, however slow they are; resolves when all have ended. */
export async function atRate(
  count: number,
  perSecond: number,
  send: (index: number) => Promise<unknown>,
): Promise<void> {
  const start = performance.now();
  const underWay: Promise<unknown>[] = [];
  while (underWay.length < count) {
    const due = Math.min(count, ((performance.now() - start) / 1000) * perSecond);
    while (underWay.length < due) underWay.push(send(underWay.length));
    await pause(2);
  }
  await Promise.all(underWay);
}

/** Closed loop: `count` calls of `send`, at most so many at a time. */
export async function inFlight(
  count: number,
  most: number,
  send: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, most) }, one));
}

/** @throws Error with the text, when the condition does not hold after ten minutes */
export async function until(condition: () => boolean, otherwise: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`${otherwise} in ten minutes`);
    await pause(10);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
