/** Chooses the template version of a send, before anything is accepted (spec §4, Messages). */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { TemplateContent } from '../../domain/policies/template-content.js';
import type { TemplateSource } from '../../domain/policies/template.js';
import type { ReadModels } from '../../ports/read-models.js';
import { templates, type TemplateDoc } from '../../read-models/templates.js';

export type SendableTemplate = TemplateSource &
  Pick<TemplateDoc, 'uuid' | 'waba_id' | 'status' | 'category' | 'removed_at'>;

/** Languages are written `pt_BR` or `pt-BR`; WhatsApp itself uses both. */
const sameLanguage = (a: string, b: string): boolean =>
  a.replace('-', '_').toLowerCase() === b.replace('-', '_').toLowerCase();

/** Maximum versions of a name, in all languages and WhatsApp accounts of a company: WhatsApp has about 70 languages. */
const MAX_VERSIONS = 500;

/** @throws Refusal template_not_found, template_language_invalid, template_not_approved */
export async function chooseTemplate(
  readModels: ReadModels,
  companyUuid: CompanyUuid,
  wabaId: string,
  content: TemplateContent,
): Promise<SendableTemplate> {
  const versions = await versionsOf(readModels, companyUuid, content.name);
  return meant(
    versions.filter((version) => version.waba_id === wabaId),
    content,
  );
}

/** Versions in all WhatsApp accounts of the company that were not removed. */
export async function versionsOf(
  readModels: ReadModels,
  companyUuid: CompanyUuid,
  name: string,
): Promise<readonly SendableTemplate[]> {
  const { documents } = await readModels.find(templates.name, {
    index: 'by_company',
    equals: [companyUuid, name],
    order: 'asc',
    limit: MAX_VERSIONS,
  });
  return documents.map(({ doc }) => doc).filter(({ removed_at }) => removed_at === null);
}

/**
 * Selects from the versions in one WhatsApp account.
 * @throws Refusal template_not_found, template_language_invalid, template_not_approved
 */
export function meant(
  versions: readonly SendableTemplate[],
  content: Pick<TemplateContent, 'name' | 'language'>,
): SendableTemplate {
  if (versions.length === 0) {
    throw new Refusal(
      'template_not_found',
      `The channel has no template named "${content.name}". List them with GET /templates.`,
      {
        name: content.name,
        fields: [{ path: 'content.name', code: 'template_not_found', message: 'No template has this name.' }],
      },
    );
  }
  const template = pickLanguage(versions, content.language);
  if (template.status !== 'APPROVED') {
    throw new Refusal(
      'template_not_approved',
      `This template can not be sent: its status is ${template.status}.`,
      {
        name: template.name,
        language: template.language,
        status: template.status,
      },
    );
  }
  return template;
}

function pickLanguage(versions: readonly SendableTemplate[], language: string | undefined): SendableTemplate {
  const available = versions.map((t) => ({ language: t.language, status: t.status }));
  if (language !== undefined) {
    const match = versions.find((t) => sameLanguage(t.language, language));
    if (match) return match;
    throw languageInvalid(`This template does not exist in "${language}".`, available);
  }
  const approved = versions.filter((t) => t.status === 'APPROVED');
  const [only, second] = approved.length === 0 ? versions : approved;
  if (only && !second) return only;
  throw languageInvalid(
    'This template exists in several languages: name one in content.language.',
    available,
  );
}

function languageInvalid(message: string, available: readonly unknown[]): Refusal {
  return new Refusal('template_language_invalid', message, {
    available,
    fields: [{ path: 'content.language', code: 'template_language_invalid', message }],
  });
}
