/** Template as the contract shows it (spec §2). */
import type { TemplateDoc } from '../../read-models/templates.js';

/** The fields of a `templates` document used here. */
export type TemplateDocument = Pick<
  TemplateDoc,
  | 'uuid'
  | 'company_uuid'
  | 'channel_uuid'
  | 'waba_id'
  | 'name'
  | 'language'
  | 'status'
  | 'category'
  | 'variables'
  | 'removed_at'
  | 'created_at'
  | 'updated_at'
>;

export function presentTemplate(template: TemplateDocument) {
  const { uuid, name, language, status, category, channel_uuid, variables, created_at, updated_at } =
    template;
  return { uuid, name, language, status, category, channel_uuid, variables, created_at, updated_at };
}

export type TemplateResource = ReturnType<typeof presentTemplate>;
