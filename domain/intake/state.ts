import type { IntakeEvent } from './events.js';

export interface Intake {
  readonly received: boolean;
  readonly parked: readonly number[];
}

export const initialIntake: Intake = { received: false, parked: [] };

export function evolveIntake(state: Intake, event: IntakeEvent): Intake {
  switch (event.type) {
    case 'ProviderWebhookReceived':
      return { ...state, received: true };
    case 'ProviderUpdateParked':
      return { ...state, parked: [...state.parked, event.data.index] };
    default:
      return state;
  }
}
