import type { RefusedSendsEvent } from './events.js';

/** The refused calls of one integration on one day. */
export interface RefusedSends {
  readonly count: number;
  readonly lastRequestId: string | null;
}

export const initialRefusedSends: RefusedSends = { count: 0, lastRequestId: null };

export function evolveRefusedSends(state: RefusedSends, event: RefusedSendsEvent): RefusedSends {
  switch (event.type) {
    case 'SendRefused':
      return { count: state.count + 1, lastRequestId: event.data.request_id };
    default:
      return state;
  }
}
