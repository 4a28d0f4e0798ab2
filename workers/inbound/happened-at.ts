import type { CommandContext } from '../../application/execute.js';
import type { Clock } from '../../ports/clock.js';

/** The provider's time of the event, but not later than now: its clock, or a forged webhook, may be years ahead. */
export function happenedAt({ clock }: { readonly clock: Pick<Clock, 'now'> }, at: string | null): string {
  const now = clock.now();
  return at === null || Date.parse(at) > now ? new Date(now).toISOString() : at;
}

/**
 * The context of what a person wrote at that time. Written before an erasure, it belongs to it, even if it comes in, or
 * comes in again, afterwards.
 */
export function writtenAt<Context extends CommandContext>(context: Context, at: string | null): Context {
  const written = at === null ? NaN : Date.parse(at);
  const cameIn = context.dataFrom ?? Infinity;
  return written < cameIn ? { ...context, dataFrom: written } : context;
}
