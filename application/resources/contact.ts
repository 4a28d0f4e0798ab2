/** Contact as the contract shows it (spec §2). */

/** What is read of a `contacts` document. */
export interface ContactSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly phone: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly tags: readonly string[];
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly marketing_opted_out: boolean;
  readonly marketing_opt_out_at: string | null;
  /** By integration uuid. */
  readonly external_ids: Readonly<Record<string, string | null>>;
  readonly last_interaction_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** @param integrationUuid whose own identifier is echoed; others' are none of its business */
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
