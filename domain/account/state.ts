import type { AccountEvent } from './events.js';

/** What one person did about access on one day. */
export interface AccountDay {
  readonly lastAct: string | null;
  /** When something was revealed, in order. */
  readonly reveals: readonly string[];
}

export const initialAccountDay: AccountDay = { lastAct: null, reveals: [] };

export function evolveAccountDay(state: AccountDay, event: AccountEvent): AccountDay {
  switch (event.type) {
    case 'PersonalDataRevealed':
      return {
        lastAct: event.data.act_uuid,
        reveals: [...state.reveals, event.data.at],
      };
    default:
      return state;
  }
}
