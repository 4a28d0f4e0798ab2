import type { ContactEvent } from '../../domain/contact/events.js';
import { contactStream } from '../../domain/contact/stream.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { defineProjection } from '../projection.js';

export type ContactDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly subject: string;
  readonly phone: string | null;
  readonly phone_key: string | null;
  readonly wa_user_id: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly tags: readonly string[];
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly marketing_opted_out: boolean;
  readonly marketing_opt_out_at: string | null;
  /** External ids by integration uuid: each integration sees its own. */
  readonly external_ids: Readonly<Record<string, string | null>>;
  readonly wa_ids: Readonly<Record<string, string | null>>;
  readonly last_interaction_at: string | null;
  readonly erased_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

type Handled = ContactEvent | Extract<MessageEvent, { type: 'MessageReceived' }>;

export const contacts = defineProjection<ContactDoc, Handled>({
  name: 'contacts',
  version: 1,
  indexes: { by_company: ['company_uuid', 'created_at'] },
  handles: [
    'ContactCreated',
    'ContactNamed',
    'ContactWaIdLearned',
    'ContactLinked',
    'ContactErased',
    'MessageReceived',
  ],
  documentId: ({ event, record }) =>
    event.type === 'MessageReceived' ? event.data.contact_uuid : (contactStream.match(record.stream) ?? null),
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    if (event.type === 'ContactCreated') {
      return {
        uuid: contactStream.match(record.stream)!,
        company_uuid: event.data.company_uuid,
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
        external_ids: {},
        wa_ids: {},
        last_interaction_at: null,
        erased_at: null,
        created_at: at,
        updated_at: at,
      };
    }
    if (!doc) return null;
    switch (event.type) {
      case 'ContactNamed':
        return { ...doc, name: event.data.name, updated_at: at };
      case 'ContactWaIdLearned':
        return {
          ...doc,
          wa_ids: { ...doc.wa_ids, [event.data.channel_uuid]: event.data.wa_id },
          updated_at: at,
        };
      case 'ContactLinked': {
        const { integration_uuid, external_id } = event.data;
        return {
          ...doc,
          external_ids: { ...doc.external_ids, [integration_uuid]: external_id },
          updated_at: at,
        };
      }
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
          erased_at: at,
          updated_at: at,
        };
      case 'MessageReceived':
        return { ...doc, last_interaction_at: later(doc.last_interaction_at, event.data.sent_at) };
      default:
        return doc;
    }
  },
});

/** WhatsApp delivers out of order: an older message behind a newer one is not the last interaction. */
function later(known: string | null, candidate: string): string {
  return known !== null && Date.parse(known) > Date.parse(candidate) ? known : candidate;
}
