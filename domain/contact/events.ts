import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, instant, nullable, personal, uuid, type EventOf } from '../kernel/event.js';

export const contactEvents = [
  defineEvent('ContactCreated', 1, 'A person was written to, wrote, or was registered for the first time.', {
    company_uuid: uuid(),
    /** `send`, `inbound`, `api`, `import`, `admin` */
    source: Type.String(),
    /** Id under which the person's fields are sealed, in every stream. */
    subject: uuid(),
    /** E.164 as given, never rewritten; null for WhatsApp users who hide their number. */
    phone: personal(nullable(Type.String())),
    /** The key by which phones are compared: E.164 with Brazil's ninth digit folded in. */
    phone_key: personal(nullable(Type.String())),
    wa_user_id: personal(nullable(Type.String())),
    name: personal(nullable(Type.String())),
  }),
  defineEvent(
    'ContactNamed',
    1,
    'A name was learned for a contact that had none, for example from the WhatsApp profile.',
    {
      source: Type.String(),
      name: personal(Type.String()),
    },
  ),
  defineEvent('ContactWaIdLearned', 1, 'The provider reported the WhatsApp id of the contact.', {
    channel_uuid: uuid(),
    wa_id: personal(Type.String()),
  }),
  defineEvent('ContactLinked', 1, "The contact was linked to an integration's own identifier.", {
    integration_uuid: uuid(),
    external_id: personal(Type.String()),
  }),
  defineEvent(
    'ContactUnlinked',
    1,
    'The identifier now belongs to another contact, or was separated from this one.',
    {
      integration_uuid: uuid(),
      external_id: personal(Type.String()),
    },
  ),
  defineEvent('ContactChanged', 1, 'Somebody gave or changed details of the contact.', {
    /** `api`, `import`, `admin`, `flow` */
    source: Type.String(),
    /** Names of the fields below that were given; the others are null and mean nothing. */
    changed: Type.Array(Type.String()),
    name: personal(nullable(Type.String())),
    email: personal(nullable(Type.String())),
    /** The whole list, not only the changes. */
    tags: personal(nullable(Type.Array(Type.String()))),
    /** The keys whose values changed; all other keys stay. */
    custom_fields: personal(nullable(freeObject())),
  }),
  defineEvent('ContactPhoneLearned', 1, 'A phone was learned for a contact that had none.', {
    source: Type.String(),
    phone: personal(Type.String()),
    phone_key: personal(Type.String()),
  }),
  defineEvent('ContactUserIdLearned', 1, 'WhatsApp reported the user id of the person.', {
    wa_user_id: personal(Type.String()),
  }),
  defineEvent('ContactOptedOut', 1, 'The contact must not receive marketing any more.', {
    /** `keyword`, `native`, `provider_131050`, `manual` */
    source: Type.String(),
    at: instant(),
    /** The message with the opt-out or opt-in; null when it came another way. */
    message_uuid: nullable(uuid()),
  }),
  defineEvent('ContactOptedIn', 1, 'The contact may receive marketing again.', {
    source: Type.String(),
    at: instant(),
    message_uuid: nullable(uuid()),
  }),
  defineEvent('ContactAttributed', 1, 'The contact came from a click-to-chat ad, for the first time.', {
    /** `ctwa_clid`, `ad_id`, `referral_source`: only those the contact did not have. */
    custom_fields: personal(freeObject()),
  }),
  defineEvent('ContactMergedInto', 1, 'The contact was merged into another one, which replaces it.', {
    contact_uuid: uuid(),
    /** `same_person`: a message proved it; `manual`: a person asked for the merge. */
    reason: Type.String(),
  }),
  defineEvent(
    'ContactAbsorbed',
    1,
    'The contact took over the details of another one that was merged into it.',
    {
      contact_uuid: uuid(),
      /** Contacts that the other contact had itself absorbed. */
      absorbed_uuids: Type.Array(uuid()),
      phone: personal(nullable(Type.String())),
      phone_key: personal(nullable(Type.String())),
      phone_keys: personal(Type.Array(Type.String())),
      wa_user_id: personal(nullable(Type.String())),
      wa_user_ids: personal(Type.Array(Type.String())),
      name: personal(nullable(Type.String())),
      email: personal(nullable(Type.String())),
      tags: personal(Type.Array(Type.String())),
      custom_fields: personal(freeObject()),
      /** By channel uuid. */
      wa_ids: personal(freeObject()),
      /** The current external id, by integration uuid. */
      links: personal(freeObject()),
      /** All external ids, by integration uuid. */
      external_ids: personal(freeObject()),
      opted_out: Type.Boolean(),
      /** Time of the last opt-out or opt-in of marketing; null when there was no such message. */
      wish_at: nullable(instant()),
      attributed: Type.Boolean(),
      last_interaction_at: nullable(instant()),
    },
  ),
  defineEvent(
    'ContactErased',
    1,
    "The person's key was destroyed: personal fields of every event about them are unreadable.",
    {
      reason: Type.String(),
    },
  ),
] as const;

export type ContactEvent = EventOf<typeof contactEvents>;
