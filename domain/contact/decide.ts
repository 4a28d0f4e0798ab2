import type { Aggregate } from '../kernel/decider.js';
import { entryOf } from '../kernel/entries.js';
import type { ChannelUuid, CompanyUuid, ContactUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { canonicalJson } from '../policies/canonical-json.js';
import { checkDetails, type ContactDetails } from '../policies/contact-details.js';
import { contactStream } from '../streams.js';
import { contactEvents, type ContactEvent } from './events.js';
import { evolveContact, initialContact, type Contact } from './state.js';

export type ContactSource = 'send' | 'inbound' | 'api' | 'import' | 'admin' | 'store';
export type WishSource = 'keyword' | 'native' | 'provider_131050' | 'manual';

/** An opt-out of marketing or an opt-in (spec §2, marketing_opted_out). */
export interface Wish {
  readonly source: WishSource;
  /** When the person said so: opt-outs and opt-ins may arrive in any order. */
  readonly at: string;
  readonly messageUuid: string | null;
}

type Absorbed = Extract<ContactEvent, { type: 'ContactAbsorbed' }>['data'];

export type ContactCommand =
  | {
      readonly type: 'CreateContact';
      readonly companyUuid: CompanyUuid;
      readonly source: ContactSource;
      readonly subject: string;
      readonly phone: string | null;
      readonly phoneKey: string | null;
      readonly waUserId: string | null;
      readonly name: string | null;
    }
  /** Only fills a gap: a name that somebody entered is never replaced by a profile name. */
  | { readonly type: 'LearnProfileName'; readonly name: string }
  | { readonly type: 'LearnWaId'; readonly channelUuid: ChannelUuid; readonly waId: string }
  /** Only fills a gap. With `revive`, it also sets the phone of an erased person who is registered again. */
  | {
      readonly type: 'LearnPhone';
      readonly source: ContactSource;
      readonly phone: string;
      readonly phoneKey: string;
      readonly revive: boolean;
    }
  | { readonly type: 'LearnUserId'; readonly waUserId: string }
  /** `onlyIfFree`: refused when the integration knows the contact by another identifier. */
  | {
      readonly type: 'LinkContact';
      readonly integrationUuid: string;
      readonly externalId: string;
      readonly onlyIfFree?: boolean;
    }
  | { readonly type: 'UnlinkContact'; readonly integrationUuid: string; readonly externalId: string }
  | {
      readonly type: 'ChangeContact';
      readonly source: 'api' | 'import' | 'admin' | 'flow';
      readonly details: ContactDetails;
    }
  /** Adds and removes single tags and leaves the others as they are; `remove` is applied first. */
  | {
      readonly type: 'ChangeTag';
      readonly source: 'flow' | 'admin';
      readonly add?: string;
      readonly remove?: string;
    }
  | ({ readonly type: 'OptOut' } & Wish)
  | ({ readonly type: 'OptIn' } & Wish)
  | { readonly type: 'AttributeContact'; readonly customFields: Readonly<Record<string, string>> }
  | {
      readonly type: 'MergeInto';
      readonly contactUuid: ContactUuid;
      readonly reason: 'same_person' | 'manual';
    }
  | { readonly type: 'AbsorbContact'; readonly data: Absorbed }
  | { readonly type: 'EraseContact'; readonly reason: string };

/**
 * @throws Refusal not_found; contact_merged (`details.into`) for every command but erasure when the contact was merged
 * into another one; validation_failed; contact_linked (`details.external_id`)
 */
export function decideContact(command: ContactCommand, state: Contact): readonly ContactEvent[] {
  if (command.type === 'CreateContact') return create(command, state);
  if (!state.exists) throw new Refusal('not_found', 'There is no such contact.', { resource: 'contact' });
  if (command.type === 'EraseContact') {
    return state.erased ? [] : [{ type: 'ContactErased', data: { reason: command.reason } }];
  }
  if (state.mergedInto !== null) {
    // These facts are side effects of a message, which must not fail because of them: the next message repeats them.
    if (['MergeInto', 'LearnProfileName', 'LearnWaId'].includes(command.type)) return [];
    throw new Refusal('contact_merged', 'This contact was merged into another one.', {
      into: state.mergedInto,
    });
  }
  switch (command.type) {
    case 'LearnProfileName':
      if (state.erased || state.name !== null || command.name === '') return [];
      return [{ type: 'ContactNamed', data: { source: 'profile', name: command.name } }];
    case 'LearnWaId': {
      const { channelUuid, waId } = command;
      if (state.erased || entryOf(state.waIds, channelUuid) === waId) return [];
      return [{ type: 'ContactWaIdLearned', data: { channel_uuid: channelUuid, wa_id: waId } }];
    }
    case 'LearnPhone': {
      const { source, phone, phoneKey, revive } = command;
      if (state.phone !== null || (state.erased && !revive)) return [];
      return [{ type: 'ContactPhoneLearned', data: { source, phone, phone_key: phoneKey } }];
    }
    case 'LearnUserId':
      if (state.erased || state.userIds.includes(command.waUserId)) return [];
      return [{ type: 'ContactUserIdLearned', data: { wa_user_id: command.waUserId } }];
    case 'LinkContact':
      return link(command, state);
    case 'UnlinkContact': {
      const { integrationUuid, externalId } = command;
      if (!(entryOf(state.externalIds, integrationUuid) ?? []).includes(externalId)) return [];
      return [
        { type: 'ContactUnlinked', data: { integration_uuid: integrationUuid, external_id: externalId } },
      ];
    }
    case 'ChangeContact':
      return change(command, state);
    case 'ChangeTag': {
      const { add, remove, source } = command;
      const left = state.tags.filter((tag) => tag !== remove);
      const tags = add === undefined || left.includes(add) ? left : [...left, add];
      return change({ type: 'ChangeContact', source, details: { tags } }, state);
    }
    case 'OptOut':
    case 'OptIn':
      return wish(command, state);
    case 'AttributeContact': {
      if (state.erased || state.attributed) return [];
      const fresh = Object.entries(command.customFields).filter(
        ([key]) => !Object.hasOwn(state.customFields, key),
      );
      return [{ type: 'ContactAttributed', data: { custom_fields: Object.fromEntries(fresh) } }];
    }
    case 'MergeInto':
      return [
        {
          type: 'ContactMergedInto',
          data: { contact_uuid: command.contactUuid, reason: command.reason },
        },
      ];
    case 'AbsorbContact':
      if (state.absorbed.includes(command.data.contact_uuid)) return [];
      return [{ type: 'ContactAbsorbed', data: command.data }];
    default:
      return command satisfies never;
  }
}

type CommandOf<T extends ContactCommand['type']> = Extract<ContactCommand, { readonly type: T }>;

function create(command: CommandOf<'CreateContact'>, state: Contact): readonly ContactEvent[] {
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

function link(command: CommandOf<'LinkContact'>, state: Contact): readonly ContactEvent[] {
  const { integrationUuid, externalId, onlyIfFree } = command;
  const known = entryOf(state.links, integrationUuid) ?? null;
  if (state.erased || known === externalId) return [];
  if (onlyIfFree === true && known !== null) {
    throw new Refusal('contact_linked', 'The contact is known by another identifier.', {
      external_id: known,
    });
  }
  return [{ type: 'ContactLinked', data: { integration_uuid: integrationUuid, external_id: externalId } }];
}

/** Records only the fields that differ: a sync of unchanged contacts writes nothing. */
function change(command: CommandOf<'ChangeContact'>, state: Contact): readonly ContactEvent[] {
  if (state.erased) throw new Refusal('not_found', 'The contact was erased.', { resource: 'contact' });
  const details = checkDetails(command.details, state.customFields);
  const fields = Object.entries(details.custom_fields ?? {}).filter(
    ([key, value]) => !Object.hasOwn(state.customFields, key) || !same(value, state.customFields[key]),
  );
  const changed = [
    ...(details.name !== undefined && details.name !== state.name ? ['name'] : []),
    ...(details.email !== undefined && details.email !== state.email ? ['email'] : []),
    ...(details.tags !== undefined && !same(details.tags, state.tags) ? ['tags'] : []),
    ...(fields.length > 0 ? ['custom_fields'] : []),
  ];
  if (changed.length === 0) return [];
  return [
    {
      type: 'ContactChanged',
      data: {
        source: command.source,
        changed,
        name: changed.includes('name') ? (details.name ?? null) : null,
        email: changed.includes('email') ? (details.email ?? null) : null,
        tags: changed.includes('tags') ? [...(details.tags ?? [])] : null,
        custom_fields: fields.length > 0 ? Object.fromEntries(fields) : null,
      },
    },
  ];
}

/**
 * The latest opt-out or opt-in wins, by the time it was said. WhatsApp's times are whole seconds: within one second,
 * the opt-out wins. A later repetition is recorded too, unless it is manual, so that an older message can't undo it.
 */
function wish(command: CommandOf<'OptOut' | 'OptIn'>, state: Contact): readonly ContactEvent[] {
  const { source, at, messageUuid } = command;
  const out = command.type === 'OptOut';
  const last = state.wishAt === null ? -Infinity : Date.parse(state.wishAt);
  const uttered = Date.parse(at);
  if (state.optedOut === out && (source === 'manual' || uttered <= last)) return [];
  if (uttered < last || (uttered === last && !out)) return [];
  const data = { source, at, message_uuid: messageUuid };
  return [{ type: out ? 'ContactOptedOut' : 'ContactOptedIn', data }];
}

const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

export const contactAggregate: Aggregate<Contact, ContactCommand, ContactEvent, 'contact'> = {
  stream: contactStream,
  events: contactEvents,
  initial: initialContact,
  decide: decideContact,
  evolve: evolveContact,
};
