/** Composes a send: the content that is stored and shown, and the components sent to WhatsApp. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { SendAsAccepted } from '../../domain/operation/state.js';
import type { TemplateContent } from '../../domain/policies/template-content.js';
import { composeTemplate } from '../../domain/policies/template.js';
import type { App } from '../app.js';
import { chooseTemplate } from './choose-template.js';

export interface TextContent {
  readonly text: string;
  readonly preview_url?: boolean;
}

export interface ComposedMessage {
  readonly type: SendAsAccepted['message_type'];
  readonly content: Readonly<Record<string, unknown>>;
  readonly components: readonly Record<string, unknown>[];
  /** The text that the recipient reads; null when there is no text. */
  readonly text: string | null;
  readonly templateUuid: string | null;
  readonly category: string | null;
}

/** A message without a template. */
export const freeForm = (
  type: ComposedMessage['type'],
  content: ComposedMessage['content'],
  text: string | null,
): ComposedMessage => ({ type, content, components: [], text, templateUuid: null, category: null });

/** @throws Refusal validation_failed */
export function composeText(content: TextContent): ComposedMessage {
  const { text } = content;
  if (text.trim() === '') throw invalid('content.text', 'text_empty', 'The text is empty.');
  return freeForm('text', { ...content }, text);
}

/** @throws Refusal template_not_found, template_language_invalid, template_not_approved, template_parameters_invalid */
export async function composeTemplateMessage(
  app: Pick<App, 'readModels'>,
  companyUuid: CompanyUuid,
  wabaId: string,
  content: TemplateContent,
): Promise<ComposedMessage> {
  const template = await chooseTemplate(app.readModels, companyUuid, wabaId, content);
  const { components, text } = composeTemplate(template, content);
  return {
    type: 'template',
    content: { ...content, language: template.language },
    components,
    text,
    templateUuid: template.uuid,
    category: template.category,
  };
}

export const invalid = (path: string, code: string, message: string): Refusal =>
  new Refusal('validation_failed', message, { fields: [{ path, code, message }] });
