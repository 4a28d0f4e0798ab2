import { Type } from '@sinclair/typebox';
import { defineEvent, nullable, personal, uuid, type EventOf } from '../kernel/event.js';

export const contactEvents = [
  defineEvent(
    'ContactCreated',
    1,
    'Somebody was written to, wrote in, or was registered for the first time.',
    {
      company_uuid: uuid(),
      /** `send`, `inbound`, `api`, `import`, `admin` */
      source: Type.String(),
      /** Id under which the person's fields are sealed everywhere. */
      subject: uuid(),
      /** E.164 as given, never rewritten; null for users who hide theirs. */
      phone: personal(nullable(Type.String())),
      /** What phones are compared by: E.164 with Brazil's ninth digit folded in. */
      phone_key: personal(nullable(Type.String())),
      wa_user_id: personal(nullable(Type.String())),
      name: personal(nullable(Type.String())),
    },
  ),
  defineEvent(
    'ContactNamed',
    1,
    'A name was learned for a contact that had none, for example from the WhatsApp profile.',
    {
      source: Type.String(),
      name: personal(Type.String()),
    },
  ),
  defineEvent('ContactWaIdLearned', 1, 'The provider told under which WhatsApp id it knows the contact.', {
    channel_uuid: uuid(),
    wa_id: personal(Type.String()),
  }),
  defineEvent('ContactLinked', 1, "The contact was linked to an integration's own identifier.", {
    integration_uuid: uuid(),
    external_id: personal(Type.String()),
  }),
  defineEvent(
    'ContactErased',
    1,
    "The person's key was destroyed: personal fields of every event about them are gone.",
    {
      reason: Type.String(),
    },
  ),
] as const;

export type ContactEvent = EventOf<typeof contactEvents>;
