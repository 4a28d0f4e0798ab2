/**
 * Uniqueness across aggregates: the name is the stream, the first append wins. Everything that must be unique (a
 * contact's phone, an integration's external id, a provider's phone number) is claimed here first.
 */
import type { Aggregate } from '../kernel/decider.js';
import { Refusal } from '../kernel/refusal.js';
import { identityStream } from '../streams.js';
import { identityEvents, type IdentityEvent } from './events.js';
import { evolveIdentity, initialIdentity, type Identity } from './state.js';

export type IdentityCommand =
  | { readonly type: 'ClaimIdentity'; readonly kind: string; readonly owner: string }
  /** Transfers in one step, so that nobody else can claim it in between. Refused when `from` is no longer the owner. */
  | { readonly type: 'TransferIdentity'; readonly kind: string; readonly from: string; readonly to: string }
  | { readonly type: 'ReleaseIdentity'; readonly owner: string };

export function decideIdentity(command: IdentityCommand, state: Identity): readonly IdentityEvent[] {
  switch (command.type) {
    case 'ClaimIdentity':
      if (state.owner === command.owner) return [];
      if (state.owner !== null) {
        throw taken(command.kind, state.owner);
      }
      return [{ type: 'IdentityClaimed', data: { kind: command.kind, owner_uuid: command.owner } }];
    case 'TransferIdentity': {
      const { kind, from, to } = command;
      if (state.owner === to) return [];
      if (state.owner !== from) throw taken(kind, state.owner);
      return [
        { type: 'IdentityReleased', data: { owner_uuid: from } },
        { type: 'IdentityClaimed', data: { kind, owner_uuid: to } },
      ];
    }
    case 'ReleaseIdentity':
      if (state.owner !== command.owner) return [];
      return [{ type: 'IdentityReleased', data: { owner_uuid: command.owner } }];
    default:
      return command satisfies never;
  }
}

const taken = (kind: string, owner: string | null): Refusal =>
  new Refusal('identity_taken', `This ${kind} already belongs to another owner.`, { kind, owner });

export const identityAggregate: Aggregate<Identity, IdentityCommand, IdentityEvent> = {
  stream: identityStream,
  events: identityEvents,
  initial: initialIdentity,
  decide: decideIdentity,
  evolve: evolveIdentity,
};
