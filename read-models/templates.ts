import type { ChannelUuid, CompanyUuid } from '../domain/kernel/ids.js';
import type { TemplateVariables } from '../domain/policies/template.js';
import type { Template } from '../domain/template/state.js';
import { collection } from './collection.js';

export type TemplateDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly channel_uuid: ChannelUuid;
  readonly waba_id: string;
  readonly name: string;
  readonly language: string;
  /** In the API's terms; a template that vanished from the account reads as DISABLED. */
  readonly status: string;
  /** In the provider's terms; DELETED once the template has vanished. */
  readonly provider_status: string;
  readonly category: string;
  /** The category that the provider will move it to. */
  readonly upcoming_category: string | null;
  readonly quality: string | null;
  readonly rejected_reason: string | null;
  readonly parameter_format: 'POSITIONAL' | 'NAMED';
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly variables: TemplateVariables;
  /** The provider's last refusal of a message with this template, since the template last changed. */
  readonly last_refusal: { readonly code: number; readonly title: string; readonly at: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly removed_at: string | null;
  /** The aggregate's own state without the fields above, so that the document follows the same rules. */
  readonly state: Omit<Template, 'definition'> & {
    readonly definition: Omit<Template['definition'], 'components'>;
  };
};

export const templates = collection<TemplateDoc>()({
  name: 'templates',
  version: 2,
  indexes: {
    by_company: ['company_uuid', 'name', 'language'],
    by_status: ['company_uuid', 'status', 'name', 'language'],
  },
});
