import type { Aggregate } from '../kernel/decider.js';
import { intakeStream } from '../streams.js';
import { intakeEvents, type IntakeEvent } from './events.js';
import { evolveIntake, initialIntake, type Intake } from './state.js';

export type IntakeCommand =
  | { readonly type: 'KeepPart'; readonly part: number; readonly body: string }
  /** `body`: the whole body, or what follows the `parts` pieces stored before. */
  | {
      readonly type: 'KeepWebhook';
      readonly bytes: number;
      readonly parts: number;
      readonly lanes: readonly string[];
      readonly body: string;
    }
  | { readonly type: 'ParkUpdate'; readonly index: number; readonly kind: string; readonly reason: string };

export function decideIntake(command: IntakeCommand, state: Intake): readonly IntakeEvent[] {
  switch (command.type) {
    case 'KeepPart':
      if (state.received || command.part < state.parts) return [];
      return [{ type: 'ProviderWebhookPartKept', data: { part: command.part, body: command.body } }];
    case 'KeepWebhook': {
      if (state.received) return [];
      const { bytes, parts, lanes, body } = command;
      return [{ type: 'ProviderWebhookReceived', data: { bytes, parts, lanes: [...lanes], body } }];
    }
    case 'ParkUpdate': {
      if (state.parked.includes(command.index)) return [];
      const { index, kind, reason } = command;
      return [{ type: 'ProviderUpdateParked', data: { index, kind, reason } }];
    }
    default:
      return command satisfies never;
  }
}

export const intakeAggregate: Aggregate<Intake, IntakeCommand, IntakeEvent> = {
  stream: intakeStream,
  events: intakeEvents,
  initial: initialIntake,
  decide: decideIntake,
  evolve: evolveIntake,
};
