import { entryOf, withEntry } from '../../domain/kernel/entries.js';
import type { ContactEvent } from '../../domain/contact/events.js';
import { absorb, changed, initialContact, type Contact } from '../../domain/contact/state.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { contactWords } from '../../domain/policies/contact-words.js';
import { contactStream } from '../../domain/streams.js';
import { contacts as collection, type ContactDoc } from '../../read-models/contacts.js';
import { defineProjection } from '../projection.js';
import { later, soonest } from './instants.js';

type Handled = ContactEvent | Extract<MessageEvent, { type: 'MessageReceived' }>;

export const contacts = defineProjection<ContactDoc, Handled>({
  collection,
  handles: [
    'ContactCreated',
    'ContactNamed',
    'ContactChanged',
    'ContactPhoneLearned',
    'ContactUserIdLearned',
    'ContactWaIdLearned',
    'ContactLinked',
    'ContactUnlinked',
    'ContactOptedOut',
    'ContactOptedIn',
    'ContactAttributed',
    'ContactMergedInto',
    'ContactAbsorbed',
    'ContactErased',
    'MessageReceived',
  ],
  documentId: ({ event, record }) =>
    event.type === 'MessageReceived' ? event.data.contact_uuid : (contactStream.match(record.stream) ?? null),
  evolve: (doc, { event, record }, uuid) => {
    const at = record.meta.occurred_at;
    if (event.type === 'ContactCreated') {
      return found({
        uuid,
        company_uuid: event.data.company_uuid,
        listed_in: event.data.company_uuid,
        merged_into: null,
        subject: event.data.subject,
        phone: event.data.phone,
        phone_key: event.data.phone_key,
        wa_user_id: event.data.wa_user_id,
        name: event.data.name,
        email: null,
        tags: [],
        custom_fields: {},
        marketing_opted_out: false,
        marketing_opt_out_at: null,
        marketing_opt_out_source: null,
        marketing_wish_at: null,
        external_ids: {},
        wa_ids: {},
        words: [],
        last_interaction_at: null,
        erased_at: null,
        created_at: at,
        updated_at: at,
      });
    }
    if (!doc) return null;
    if (event.type === 'MessageReceived') {
      const known = doc.last_interaction_at && soonest(doc.last_interaction_at, at);
      return { ...doc, last_interaction_at: later(known, soonest(event.data.sent_at, at)) };
    }
    const next = evolveDetails(doc, event, at);
    return next === doc ? doc : { ...next, updated_at: at };
  },
});

function evolveDetails(doc: ContactDoc, event: ContactEvent, at: string): ContactDoc {
  switch (event.type) {
    case 'ContactNamed':
      return found({ ...doc, name: event.data.name });
    case 'ContactChanged': {
      const { customFields: custom_fields, ...rest } = changed(
        { name: doc.name, email: doc.email, tags: doc.tags, customFields: doc.custom_fields },
        event.data,
      );
      return found({ ...doc, ...rest, custom_fields });
    }
    case 'ContactPhoneLearned':
      return found({
        ...doc,
        phone: event.data.phone,
        phone_key: event.data.phone_key,
        // Null: the data came in before the erasure.
        erased_at: event.data.phone === null ? doc.erased_at : null,
      });
    case 'ContactUserIdLearned':
      return { ...doc, wa_user_id: event.data.wa_user_id ?? doc.wa_user_id };
    case 'ContactWaIdLearned':
      if (event.data.wa_id === null) return doc;
      return { ...doc, wa_ids: withEntry(doc.wa_ids, event.data.channel_uuid, event.data.wa_id) };
    case 'ContactLinked': {
      const { integration_uuid, external_id } = event.data;
      return found({ ...doc, external_ids: withEntry(doc.external_ids, integration_uuid, external_id) });
    }
    case 'ContactUnlinked': {
      const { integration_uuid, external_id } = event.data;
      if (entryOf(doc.external_ids, integration_uuid) !== external_id) return doc;
      return found({ ...doc, external_ids: withEntry(doc.external_ids, integration_uuid, null) });
    }
    case 'ContactOptedOut':
      return {
        ...doc,
        marketing_opted_out: true,
        marketing_opt_out_at: doc.marketing_opted_out ? doc.marketing_opt_out_at : event.data.at,
        marketing_opt_out_source: doc.marketing_opted_out ? doc.marketing_opt_out_source : event.data.source,
        marketing_wish_at: event.data.at,
      };
    case 'ContactOptedIn':
      return {
        ...doc,
        marketing_opted_out: false,
        marketing_opt_out_at: null,
        marketing_opt_out_source: null,
        marketing_wish_at: event.data.at,
      };
    case 'ContactAttributed':
      return { ...doc, custom_fields: { ...doc.custom_fields, ...event.data.custom_fields } };
    case 'ContactMergedInto':
      // The history still contains this contact's own details. Lists and searches show the contact that it was merged
      // into.
      return { ...doc, merged_into: event.data.contact_uuid, listed_in: null, words: [] };
    case 'ContactAbsorbed':
      return absorbed(doc, event.data);
    case 'ContactErased':
      return {
        ...doc,
        phone: null,
        phone_key: null,
        wa_user_id: null,
        name: null,
        email: null,
        tags: [],
        custom_fields: {},
        external_ids: {},
        wa_ids: {},
        words: [],
        erased_at: at,
      };
    default:
      return doc;
  }
}

function absorbed(doc: ContactDoc, data: Parameters<typeof absorb>[1]): ContactDoc {
  const both = absorb(stateOf(doc), data);
  const newlyOut = both.optedOut && !doc.marketing_opted_out;
  const newlyIn = !both.optedOut && doc.marketing_opted_out;
  return found({
    ...doc,
    phone: both.phone,
    phone_key: both.phoneKey,
    wa_user_id: both.waUserId,
    name: both.name,
    email: both.email,
    tags: both.tags,
    custom_fields: both.customFields,
    external_ids: both.links,
    wa_ids: both.waIds,
    marketing_opted_out: both.optedOut,
    marketing_wish_at: both.wishAt,
    ...(newlyOut ? { marketing_opt_out_at: both.wishAt } : {}),
    ...(newlyIn ? { marketing_opt_out_at: null, marketing_opt_out_source: null } : {}),
    erased_at: both.erased ? doc.erased_at : null,
    last_interaction_at:
      data.last_interaction_at === null
        ? doc.last_interaction_at
        : later(doc.last_interaction_at, data.last_interaction_at),
  });
}

/** The part of the document that `absorb` reads. */
const stateOf = (doc: ContactDoc): Contact => ({
  ...initialContact,
  exists: true,
  phone: doc.phone,
  phoneKey: doc.phone_key,
  waUserId: doc.wa_user_id,
  name: doc.name,
  email: doc.email,
  tags: doc.tags,
  customFields: doc.custom_fields,
  links: doc.external_ids,
  waIds: doc.wa_ids,
  optedOut: doc.marketing_opted_out,
  wishAt: doc.marketing_wish_at,
  erased: doc.erased_at !== null,
});

/** Adds the words by which a search finds the contact. */
function found(doc: ContactDoc): ContactDoc {
  if (doc.merged_into !== null) return doc;
  const externalIds = Object.values(doc.external_ids).filter((id): id is string => id !== null);
  const { phone, phone_key: phoneKey, name, email, tags } = doc;
  return { ...doc, words: contactWords({ phone, phoneKey, name, email, tags, externalIds }) };
}
