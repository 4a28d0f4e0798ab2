/** Polls the servers that this process needs, so that reading their state costs nothing. */
import { messageOf } from '../ports/thrown.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { Part, PartName } from './stores/stores.js';

const EVERY_MS = 2_000;
const ANSWER_MS = 5_000;
/** Failed pings before a server counts as unavailable: a single lost ping means little. */
const OUT_AFTER = 2;

export interface Health {
  /** `ok`, or the reason why not. */
  state(): Readonly<Partial<Record<PartName, string>>>;
  isUp(name: PartName): boolean;
  stop(): void;
}

export function watchParts(parts: readonly Part[], deps: { clock: Clock; logger: Logger }): Health {
  const { clock, logger } = deps;
  const failures = new Map<PartName, { count: number; why: string }>();
  const timers = new Set<() => void>();
  let stopped = false;

  /** Rejects a ping that is not answered in time. */
  async function inTime(answer: Promise<void>): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      cancel = clock.after(ANSWER_MS, () =>
        reject(new Error(`It did not answer within ${ANSWER_MS / 1000} s.`)),
      );
    });
    try {
      await Promise.race([answer, late]);
    } finally {
      cancel();
    }
  }

  async function look({ name, ping }: Part): Promise<void> {
    try {
      await inTime(ping());
      const before = failures.get(name);
      if (before && before.count >= OUT_AFTER) logger.warn({ part: name }, 'a server answers again');
      failures.delete(name);
    } catch (error) {
      if (stopped) return;
      const count = (failures.get(name)?.count ?? 0) + 1;
      const why = messageOf(error);
      failures.set(name, { count, why });
      if (count === OUT_AFTER) logger.error({ part: name, why }, 'a server does not answer');
    }
  }

  // Each server has its own timer: one that hangs must not delay the checks of another.
  function next(part: Part): void {
    if (stopped) return;
    const cancel = clock.after(EVERY_MS, () => {
      timers.delete(cancel);
      void look(part).finally(() => next(part));
    });
    timers.add(cancel);
  }
  for (const part of parts) next(part);

  const why = (name: PartName): string | null => {
    const failure = failures.get(name);
    return failure && failure.count >= OUT_AFTER ? failure.why : null;
  };
  return {
    state: () => Object.fromEntries(parts.map(({ name }) => [name, why(name) ?? 'ok'])),
    isUp: (name) => why(name) === null,
    stop() {
      stopped = true;
      for (const cancel of timers) cancel();
    },
  };
}
