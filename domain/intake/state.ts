import type { IntakeEvent } from './events.js';

export interface Intake {
  readonly received: boolean;
  /** Pieces kept so far of a body that is too large for one event. */
  readonly parts: number;
  readonly parked: readonly number[];
}

export const initialIntake: Intake = { received: false, parts: 0, parked: [] };

export function evolveIntake(state: Intake, event: IntakeEvent): Intake {
  switch (event.type) {
    case 'ProviderWebhookPartKept':
      return { ...state, parts: Math.max(state.parts, event.data.part + 1) };
    case 'ProviderWebhookReceived':
      return { ...state, received: true };
    case 'ProviderUpdateParked':
      return { ...state, parked: [...state.parked, event.data.index] };
    default:
      return state;
  }
}
