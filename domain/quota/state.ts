import type { OperationUuid } from '../kernel/ids.js';
import type { QuotaEvent } from '../quota/events.js';

/** A reservation: a send that counts towards the limit. */
export interface Reservation {
  readonly operationUuid: OperationUuid;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: string;
  readonly counted: boolean;
}

/**
 * The sends under one limit: to one person (marketing), of one message to one person (identical messages), or by one
 * company on one day (marketing).
 */
export interface Quota {
  /** Oldest first; covers the longest window. */
  readonly slots: readonly Reservation[];
  /** The last error 131049; `at` in milliseconds since the epoch. */
  readonly limited: { readonly operationUuid: OperationUuid; readonly at: number } | null;
  readonly closedInto: string | null;
}

export const initialQuota: Quota = { slots: [], limited: null, closedInto: null };

/** The longest window, a week, plus an hour for clocks that disagree. */
const KEEP_MS = (7 * 24 + 1) * 3_600_000;

export function evolveQuota(state: Quota, event: QuotaEvent): Quota {
  switch (event.type) {
    case 'SlotTaken': {
      const at = timeOf(event.data.at);
      const slot: Reservation = {
        operationUuid: event.data.operation_uuid,
        at,
        what: event.data.what,
        counted: event.data.counted,
      };
      return { ...state, slots: [...state.slots.filter((other) => other.at > at - KEEP_MS), slot] };
    }
    case 'SlotGivenBack':
      return {
        ...state,
        slots: state.slots.filter((slot) => slot.operationUuid !== event.data.operation_uuid),
      };
    case 'RecipientLimited': {
      const at = timeOf(event.data.at);
      if (state.limited !== null && state.limited.at >= at) return state;
      return { ...state, limited: { operationUuid: event.data.operation_uuid, at } };
    }
    case 'LedgerClosed':
      return { ...state, closedInto: event.data.into };
    default:
      return state;
  }
}

/** Stored events may hold anything. */
const timeOf = (instant: unknown): number => (typeof instant === 'string' ? Date.parse(instant) || 0 : 0);
