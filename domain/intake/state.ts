import type { IntakeEvent } from './events.js';

export interface Intake {
  readonly received: boolean;
  /** Number of stored pieces so far, of a body that is too large for one event. */
  readonly parts: number;
  readonly parked: readonly number[];
}

export const initialIntake: Intake = { received: false, parts: 0, parked: [] };

export function evolveIntake(state: Intake, event: IntakeEvent): Intake {
  switch (event.type) {
    case 'ProviderWebhookPartKept':
      return event.data.part === state.parts ? { ...state, parts: state.parts + 1 } : state;
    case 'ProviderWebhookReceived':
      return { ...state, received: true };
    case 'ProviderUpdateParked':
      return { ...state, parked: [...state.parked, event.data.index] };
    default:
      return state;
  }
}
