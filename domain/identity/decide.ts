/**
 * Uniqueness across aggregates: the name is the stream, the first append wins. Everything that must be unique (a
 * contact's phone, an integration's external id, a provider's phone number) is claimed here first.
 */
import type { Aggregate } from '../kernel/decider.js';
import { Refusal } from '../kernel/refusal.js';
import { identityEvents, type IdentityEvent } from './events.js';
import { evolveIdentity, initialIdentity, type Identity } from './state.js';
import { identityStream } from './stream.js';

export type IdentityCommand =
  | { readonly type: 'ClaimIdentity'; readonly kind: string; readonly owner: string }
  | { readonly type: 'ReleaseIdentity'; readonly owner: string };

export function decideIdentity(command: IdentityCommand, state: Identity): readonly IdentityEvent[] {
  switch (command.type) {
    case 'ClaimIdentity':
      if (state.owner === command.owner) return [];
      if (state.owner !== null) {
        throw new Refusal('identity_taken', `This ${command.kind} already belongs to another owner.`, {
          kind: command.kind,
          owner: state.owner,
        });
      }
      return [{ type: 'IdentityClaimed', data: { kind: command.kind, owner_uuid: command.owner } }];
    case 'ReleaseIdentity':
      if (state.owner !== command.owner) return [];
      return [{ type: 'IdentityReleased', data: { owner_uuid: command.owner } }];
    default:
      return command satisfies never;
  }
}

export const identityAggregate: Aggregate<Identity, IdentityCommand, IdentityEvent> = {
  stream: identityStream,
  events: identityEvents,
  initial: initialIdentity,
  decide: decideIdentity,
  evolve: evolveIdentity,
};
