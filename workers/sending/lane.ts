/** One channel as the dispatcher sees it: its pace, what is under way, when to look again. */
import type { Lease } from '../../ports/leases.js';
import { advance, allowance, conformsAt, type Pace } from '../../domain/policies/gcra.js';

export interface Lane {
  readonly channelUuid: string;
  /** One process at a time paces a channel. */
  readonly lease: Lease;
  tat: number;
  /** When something was last scheduled for it in this process. */
  scheduledAt: number;
  /** Entries scheduled and not ended, as far as this process knows. */
  backlog: number;
  pumping: boolean;
  /** Something changed while pumping: go round once more. */
  again: boolean;
  wakeAt: number;
  cancelWake: (() => void) | undefined;
}

export const newLane = (
  lease: Lease,
  channelUuid: string,
  tat: number,
  backlog: number,
  now: number,
): Lane => ({
  channelUuid,
  lease,
  tat: Math.max(tat, Number(lease.left?.['tat'] ?? 0)),
  scheduledAt: now,
  backlog,
  pumping: false,
  again: false,
  wakeAt: Infinity,
  cancelWake: undefined,
});

/** A second's worth may not go at once: a tenth keeps the flow even and stays far from the provider's ceiling. */
export function channelPace(ratePerSecond: number): Pace {
  if (!Number.isFinite(ratePerSecond)) return { intervalMs: 0, burst: 1 };
  return { intervalMs: 1000 / ratePerSecond, burst: Math.max(1, Math.floor(ratePerSecond / 10)) };
}

export const mayGo = (lane: Lane, now: number, pace: Pace, most: number): number =>
  allowance(lane.tat, now, pace, most);
export const nextTurn = (lane: Lane, pace: Pace): number => conformsAt(lane.tat, pace);

export function took(lane: Lane, now: number, pace: Pace): void {
  lane.tat = advance(lane.tat, now, pace);
  lane.lease.leave({ tat: lane.tat });
}
