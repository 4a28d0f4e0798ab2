import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, nullable, uuid, type EventOf } from '../kernel/event.js';

const definition = {
  provider_template_id: Type.String(),
  /** APPROVED, PENDING, REJECTED, PAUSED, DISABLED, IN_APPEAL or DRAFT (spec §2). */
  status: Type.String(),
  /** The status in the provider's own terms. */
  provider_status: Type.String(),
  category: Type.String(),
  provider_category: Type.String(),
  parameter_format: Type.Union([Type.Literal('POSITIONAL'), Type.Literal('NAMED')]),
  /** The provider's component objects, unchanged. */
  components: Type.Array(freeObject()),
  /** Why the review refused it; null otherwise. */
  rejected_reason: nullable(Type.String()),
};

export const templateEvents = [
  defineEvent(
    'TemplateImported',
    2,
    'A message template of the WhatsApp account was found for the first time, or again after it was removed.',
    {
      company_uuid: uuid(),
      channel_uuid: uuid(),
      waba_id: Type.String(),
      name: Type.String(),
      language: Type.String(),
      ...definition,
    },
  ),
  defineEvent(
    'TemplateChanged',
    2,
    'Status, category or components of a template changed; holds the new values.',
    definition,
  ),
  defineEvent('TemplateQualityReported', 1, "The provider's rating of the template's quality changed.", {
    /** GREEN, YELLOW, RED, UNKNOWN or a later value of the provider; null when it gives none. */
    quality: nullable(Type.String()),
  }),
  defineEvent(
    'TemplateCategoryAnnounced',
    1,
    'The provider announced that it will move the template to another category by itself.',
    { category: Type.String(), provider_category: Type.String() },
  ),
  defineEvent(
    'TemplateSendRefused',
    1,
    'The provider refused a message because of its template; recorded once per reason.',
    {
      /** The provider's error code. */
      code: Type.Integer(),
      title: Type.String(),
      /** The template status that the refusal implies; null when it implies none. */
      provider_status: nullable(Type.String()),
    },
  ),
  defineEvent('TemplateRemoved', 1, 'The template is no longer in the WhatsApp account.', {}),
] as const;

export type TemplateEvent = EventOf<typeof templateEvents>;

type Data = Readonly<Record<string, unknown>>;

/** Version 1 stored the contract's terms only. */
const withProviderWords = (data: Data): Data => ({
  ...data,
  provider_status: data['status'],
  provider_category: data['category'],
  rejected_reason: null,
});

export const templateUpcasters = {
  'TemplateImported@1': withProviderWords,
  'TemplateChanged@1': withProviderWords,
};
