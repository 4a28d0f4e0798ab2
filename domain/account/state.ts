import type { AccountEvent } from './events.js';

/** What one person did about access on one day. */
export interface AccountDay {
  readonly lastAct: string | null;
  /** Attempts to sign in that failed. */
  readonly failures: number;
  /** When something was revealed, in order. */
  readonly reveals: readonly string[];
}

export const initialAccountDay: AccountDay = { lastAct: null, failures: 0, reveals: [] };

export function evolveAccountDay(state: AccountDay, event: AccountEvent): AccountDay {
  switch (event.type) {
    case 'PersonalDataRevealed':
      return {
        ...state,
        lastAct: event.data.act_uuid,
        reveals: [...state.reveals, event.data.at],
      };
    case 'SignInFailed':
      return { ...state, lastAct: event.data.act_uuid, failures: state.failures + 1 };
    case 'SignedIn':
    case 'PasswordSet':
    case 'SecondFactorChanged':
      return { ...state, lastAct: event.data.act_uuid };
    default:
      return state;
  }
}
