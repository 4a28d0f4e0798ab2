import type { Clock } from '../../ports/clock.js';

/** The provider's time of the event, but not later than now: its clock, or a forged webhook, may be years ahead. */
export function happenedAt({ clock }: { readonly clock: Pick<Clock, 'now'> }, at: string | null): string {
  const now = clock.now();
  return at === null || Date.parse(at) > now ? new Date(now).toISOString() : at;
}
