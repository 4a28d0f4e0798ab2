import { templateVariables, type TemplateVariables } from '../../domain/policies/template.js';
import type { TemplateEvent } from '../../domain/template/events.js';
import { evolveTemplate, initialTemplate, type Template } from '../../domain/template/state.js';
import { templateStream } from '../../domain/template/stream.js';
import { defineProjection } from '../projection.js';

export type TemplateDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly waba_id: string;
  readonly name: string;
  readonly language: string;
  /** In the contract's words; what vanished from the account reads as DISABLED. */
  readonly status: string;
  /** In the provider's; DELETED once it vanished. */
  readonly provider_status: string;
  readonly category: string;
  /** The category the provider will move it to. */
  readonly upcoming_category: string | null;
  readonly quality: string | null;
  readonly rejected_reason: string | null;
  readonly parameter_format: 'POSITIONAL' | 'NAMED';
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly variables: TemplateVariables;
  /** Why the provider last refused a message with it, since it last changed. */
  readonly last_refusal: { readonly code: number; readonly title: string; readonly at: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly removed_at: string | null;
  /** The aggregate's own state without what stands above, so that the document follows the same rules. */
  readonly state: Omit<Template, 'definition'> & {
    readonly definition: Omit<Template['definition'], 'components'>;
  };
};

export const templates = defineProjection<TemplateDoc, TemplateEvent>({
  name: 'templates',
  version: 2,
  indexes: {
    by_company: ['company_uuid', 'name', 'language'],
    by_status: ['company_uuid', 'status', 'name', 'language'],
  },
  handles: [
    'TemplateImported',
    'TemplateChanged',
    'TemplateQualityReported',
    'TemplateCategoryAnnounced',
    'TemplateSendRefused',
    'TemplateRemoved',
  ],
  documentId: ({ record }) => templateStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    if (!doc && event.type !== 'TemplateImported') return null;
    const before = doc ? stateOf(doc) : initialTemplate;
    const state = evolveTemplate(before, event);
    // An event the aggregate does not know.
    if (doc && state === before) return doc;
    const at = record.meta.occurred_at;
    const { definition, lastRefusal } = state;
    const { components, ...rest } = definition;
    const refused = event.type === 'TemplateSendRefused' ? at : (doc?.last_refusal?.at ?? at);
    return {
      uuid: templateStream.match(record.stream)!,
      company_uuid: state.companyUuid,
      channel_uuid: state.channelUuid,
      waba_id: state.wabaId,
      name: state.name,
      language: state.language,
      status: state.removed ? 'DISABLED' : definition.status,
      provider_status: state.removed ? 'DELETED' : definition.providerStatus,
      category: definition.category,
      upcoming_category: state.upcomingCategory,
      quality: state.quality,
      rejected_reason: definition.rejectedReason,
      parameter_format: definition.parameterFormat,
      components,
      variables: templateVariables(components, definition.parameterFormat),
      last_refusal: lastRefusal && { ...lastRefusal, at: refused },
      created_at: doc?.created_at ?? at,
      updated_at: at,
      removed_at: state.removed ? at : null,
      state: { ...state, definition: rest },
    };
  },
});

const stateOf = ({ state, components }: TemplateDoc): Template => ({
  ...state,
  definition: { ...state.definition, components },
});
