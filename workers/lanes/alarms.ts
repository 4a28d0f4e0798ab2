/** Wake-ups of many waiting parties by one timer: most of them are woken by something else first. */
import type { Clock } from '../../ports/clock.js';

/** A wake-up sooner than this is not worth a timer. */
const SOONEST_MS = 1;
/** Timers longer than about 24 days fire at once, hence the limit. A party woken too early sets another alarm. */
const LATEST_MS = 3_600_000;

export interface Alarms<Who> {
  /** Wakes `who` in this many milliseconds, unless it has an earlier alarm. */
  set(who: Who, inMs: number): void;
  /** Cancels all alarms for good: none may be set afterwards. */
  clear(): void;
}

/** By the monotonic clock: setting the time of day neither delays an alarm nor speeds it up. */
export function createAlarms<Who>(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  wake: (who: Who) => void,
): Alarms<Who> {
  const waiting = new Map<Who, number>();
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;

  function ring(): void {
    timer = undefined;
    const now = clock.monotonic();
    const due: Who[] = [];
    let next = Infinity;
    for (const [who, at] of waiting) {
      if (at > now) next = Math.min(next, at);
      else due.push(who);
    }
    if (next < Infinity) setTimer(next);
    for (const who of due) waiting.delete(who);
    for (const who of due) wake(who);
  }

  function setTimer(at: number): void {
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    timer = { at, cancel: clock.after(Math.max(0, at - clock.monotonic()), ring) };
  }

  return {
    set(who, inMs) {
      const at = clock.monotonic() + Math.min(LATEST_MS, Math.max(SOONEST_MS, inMs));
      if ((waiting.get(who) ?? Infinity) <= at) return;
      waiting.set(who, at);
      setTimer(at);
    },
    clear() {
      waiting.clear();
      timer?.cancel();
    },
  };
}
