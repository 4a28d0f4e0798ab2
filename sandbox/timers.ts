import type { Clock } from '../ports/clock.js';

/**
 * Wraps a clock so that all its timers can be cancelled: the pending timers of a closed sandbox must not keep a process
 * alive.
 */
export function cancellable(clock: Clock): { readonly clock: Clock; readonly cancelAll: () => void } {
  const cancels = new Set<() => void>();
  return {
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after(ms, task) {
        const cancelTimer = clock.after(ms, () => {
          cancels.delete(cancel);
          task();
        });
        const cancel = (): void => {
          cancels.delete(cancel);
          cancelTimer();
        };
        cancels.add(cancel);
        return cancel;
      },
    },
    cancelAll() {
      for (const cancel of cancels) cancel();
    },
  };
}
