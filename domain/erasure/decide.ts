import type { Aggregate } from '../kernel/decider.js';
import type { CompanyUuid, ContactUuid } from '../kernel/ids.js';
import { erasureStream } from '../streams.js';
import { erasureEvents, type ErasureEvent, type Swept } from './events.js';
import { evolveErasure, initialErasure, isScoped, type Erasure } from './state.js';

export type ErasureCommand =
  | { readonly type: 'RequestErasure'; readonly companyUuid: CompanyUuid; readonly contactUuid: ContactUuid }
  | {
      readonly type: 'ScopeErasure';
      readonly contactUuids: readonly string[];
      readonly subjects: readonly string[];
      readonly identities: readonly string[];
    }
  | { readonly type: 'RecordKeysDestroyed'; readonly keys: number; readonly through: string }
  | { readonly type: 'RecordSweep'; readonly swept: Swept }
  | { readonly type: 'HoldUpErasure'; readonly waitingFor: readonly string[] }
  | { readonly type: 'EndErasure' };

/** Several processes may carry out one erasure: commands that are late or out of order change nothing. */
export function decideErasure(command: ErasureCommand, state: Erasure): readonly ErasureEvent[] {
  if (command.type === 'RequestErasure') {
    const { companyUuid, contactUuid } = command;
    if (state.exists) return [];
    return [{ type: 'ErasureRequested', data: { company_uuid: companyUuid, contact_uuid: contactUuid } }];
  }
  if (!state.exists || state.ended) return [];
  switch (command.type) {
    case 'ScopeErasure': {
      const { contactUuids, subjects, identities } = command;
      const known =
        holds(state.contactUuids, contactUuids) &&
        holds(state.subjects, subjects) &&
        holds(state.identities, identities);
      if (known || subjects.length === 0) return [];
      const data = {
        contact_uuids: [...contactUuids],
        subjects: [...subjects],
        identities: [...identities],
      };
      return [{ type: 'ErasureScoped', data }];
    }
    case 'RecordKeysDestroyed': {
      const { keys, through } = command;
      if (!isScoped(state)) return [];
      if (state.through !== null && (keys === 0 || through <= state.through)) return [];
      return [{ type: 'ErasureKeysDestroyed', data: { keys, through } }];
    }
    case 'RecordSweep':
      if (Object.values(command.swept).every((count) => count === 0)) return [];
      return [{ type: 'ErasureSwept', data: command.swept }];
    case 'HoldUpErasure': {
      const { waitingFor } = command;
      if (waitingFor.length === state.waitingFor.length && holds(state.waitingFor, waitingFor)) return [];
      return [{ type: 'ErasureHeldUp', data: { waiting_for: [...waitingFor] } }];
    }
    case 'EndErasure':
      if (state.through === null) return [];
      return [{ type: 'ErasureEnded', data: { contact_uuids: [...state.contactUuids] } }];
    default:
      return command satisfies never;
  }
}

const holds = (known: readonly string[], asked: readonly string[]): boolean =>
  asked.every((value) => known.includes(value));

export const erasureAggregate: Aggregate<Erasure, ErasureCommand, ErasureEvent> = {
  stream: erasureStream,
  events: erasureEvents,
  initial: initialErasure,
  decide: decideErasure,
  evolve: evolveErasure,
};
