import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, uuid, type EventOf } from '../kernel/event.js';

const definition = {
  provider_template_id: Type.String(),
  /** APPROVED, PENDING, REJECTED, PAUSED, DISABLED, IN_APPEAL or DRAFT (spec §2). */
  status: Type.String(),
  category: Type.String(),
  parameter_format: Type.Union([Type.Literal('POSITIONAL'), Type.Literal('NAMED')]),
  /** The provider's component objects, as they came. */
  components: Type.Array(freeObject()),
};

export const templateEvents = [
  defineEvent(
    'TemplateImported',
    1,
    'A message template of the WhatsApp account was seen for the first time, or again after it was removed.',
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
    1,
    'Status, category or components of a template changed; holds the new values.',
    definition,
  ),
  defineEvent('TemplateRemoved', 1, 'The template is no longer in the WhatsApp account.', {}),
] as const;

export type TemplateEvent = EventOf<typeof templateEvents>;
