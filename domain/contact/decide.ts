import type { Aggregate } from '../kernel/decider.js';
import { entryOf } from '../kernel/entries.js';
import { Refusal } from '../kernel/refusal.js';
import { contactEvents, type ContactEvent } from './events.js';
import { evolveContact, initialContact, type Contact } from './state.js';
import { contactStream } from './stream.js';

export type ContactCommand =
  | {
      readonly type: 'CreateContact';
      readonly companyUuid: string;
      readonly source: 'send' | 'inbound';
      readonly subject: string;
      readonly phone: string | null;
      readonly phoneKey: string | null;
      readonly waUserId: string | null;
      readonly name: string | null;
    }
  /** Only fills a gap: a name that somebody gave is never replaced by a profile name. */
  | { readonly type: 'LearnProfileName'; readonly name: string }
  | { readonly type: 'LearnWaId'; readonly channelUuid: string; readonly waId: string }
  | { readonly type: 'LinkContact'; readonly integrationUuid: string; readonly externalId: string }
  | { readonly type: 'EraseContact'; readonly reason: string };

export function decideContact(command: ContactCommand, state: Contact): readonly ContactEvent[] {
  if (command.type === 'CreateContact') {
    if (state.exists) return [];
    return [
      {
        type: 'ContactCreated',
        data: {
          company_uuid: command.companyUuid,
          source: command.source,
          subject: command.subject,
          phone: command.phone,
          phone_key: command.phoneKey,
          wa_user_id: command.waUserId,
          name: command.name,
        },
      },
    ];
  }
  if (!state.exists) throw new Refusal('not_found', 'There is no such contact.', { resource: 'contact' });
  switch (command.type) {
    case 'LearnProfileName':
      if (state.erased || state.name !== null || command.name === '') return [];
      return [{ type: 'ContactNamed', data: { source: 'profile', name: command.name } }];
    case 'LearnWaId': {
      const { channelUuid, waId } = command;
      if (state.erased || entryOf(state.waIds, channelUuid) === waId) return [];
      return [{ type: 'ContactWaIdLearned', data: { channel_uuid: channelUuid, wa_id: waId } }];
    }
    case 'LinkContact': {
      const { integrationUuid, externalId } = command;
      if (state.erased || entryOf(state.links, integrationUuid) === externalId) return [];
      return [
        { type: 'ContactLinked', data: { integration_uuid: integrationUuid, external_id: externalId } },
      ];
    }
    case 'EraseContact':
      return state.erased ? [] : [{ type: 'ContactErased', data: { reason: command.reason } }];
    default:
      return command satisfies never;
  }
}

export const contactAggregate: Aggregate<Contact, ContactCommand, ContactEvent> = {
  stream: contactStream,
  events: contactEvents,
  initial: initialContact,
  decide: decideContact,
  evolve: evolveContact,
};
