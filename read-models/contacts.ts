import type { CompanyUuid, ContactUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type ContactDoc = {
  readonly uuid: ContactUuid;
  readonly company_uuid: CompanyUuid;
  /** The company whose contact list shows it; null for a contact that was merged into another one. */
  readonly listed_in: string | null;
  /** The contact that it was merged into. */
  readonly merged_into: string | null;
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
  /** `keyword`, `native`, `provider_131050`, `manual` */
  readonly marketing_opt_out_source: string | null;
  /** Time of the person's latest choice about marketing, in or out. */
  readonly marketing_wish_at: string | null;
  /** External ids by integration uuid: each integration sees only its own. */
  readonly external_ids: Readonly<Record<string, string | null>>;
  readonly wa_ids: Readonly<Record<string, string | null>>;
  /** Search terms of the contact. */
  readonly words: readonly string[];
  readonly last_interaction_at: string | null;
  readonly erased_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export const contacts = collection<ContactDoc>()({
  name: 'contacts',
  version: 2,
  indexes: { by_company: ['listed_in', 'created_at'] },
  search: { scope: 'company_uuid', words: 'words', orderBy: 'created_at' },
});
