/** Contact as the contract shows it (spec §2). */
import type { ContactDoc } from '../../read-models/contacts.js';

/** The fields of a `contacts` document used here. */
export type ContactSource = Pick<
  ContactDoc,
  | 'uuid'
  | 'company_uuid'
  | 'phone'
  | 'name'
  | 'email'
  | 'tags'
  | 'custom_fields'
  | 'marketing_opted_out'
  | 'marketing_opt_out_at'
  | 'external_ids'
  | 'last_interaction_at'
  | 'created_at'
  | 'updated_at'
>;

/** @param integrationUuid integration whose own identifier is returned; those of others stay private */
export function presentContact(contact: ContactSource, integrationUuid: string) {
  return {
    uuid: contact.uuid,
    external_id: contact.external_ids[integrationUuid] ?? null,
    phone: contact.phone,
    name: contact.name,
    email: contact.email,
    tags: contact.tags,
    custom_fields: contact.custom_fields,
    marketing_opted_out: contact.marketing_opted_out,
    marketing_opt_out_at: contact.marketing_opt_out_at,
    last_interaction_at: contact.last_interaction_at,
    created_at: contact.created_at,
    updated_at: contact.updated_at,
  };
}

export type ContactResource = ReturnType<typeof presentContact>;
