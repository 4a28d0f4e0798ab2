/** Template as the contract shows it (spec §2). */
import type { TemplateVariables } from '../../domain/policies/template.js';

/** What is read of a `templates` document. */
export interface TemplateDocument {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly waba_id: string;
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly variables: TemplateVariables;
  readonly removed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export function presentTemplate(template: TemplateDocument) {
  const { uuid, name, language, status, category, channel_uuid, variables, created_at, updated_at } =
    template;
  return { uuid, name, language, status, category, channel_uuid, variables, created_at, updated_at };
}

export type TemplateResource = ReturnType<typeof presentTemplate>;
