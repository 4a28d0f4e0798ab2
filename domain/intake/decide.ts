import type { Aggregate } from '../kernel/decider.js';
import { intakeEvents, type IntakeEvent } from './events.js';
import { evolveIntake, initialIntake, type Intake } from './state.js';
import { intakeStream } from './stream.js';

export type IntakeCommand =
  | { readonly type: 'KeepWebhook'; readonly bytes: number; readonly body: string }
  | { readonly type: 'ParkUpdate'; readonly index: number; readonly kind: string; readonly reason: string };

export function decideIntake(command: IntakeCommand, state: Intake): readonly IntakeEvent[] {
  switch (command.type) {
    case 'KeepWebhook':
      if (state.received) return [];
      return [{ type: 'ProviderWebhookReceived', data: { bytes: command.bytes, body: command.body } }];
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
