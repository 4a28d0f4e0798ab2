import { templateVariables } from '../../domain/policies/template.js';
import { templateStream } from '../../domain/streams.js';
import type { TemplateEvent } from '../../domain/template/events.js';
import { evolveTemplate, initialTemplate, type Template } from '../../domain/template/state.js';
import { templates as collection, type TemplateDoc } from '../../read-models/templates.js';
import { defineProjection } from '../projection.js';

export const templates = defineProjection<TemplateDoc, TemplateEvent>({
  collection,
  handles: [
    'TemplateImported',
    'TemplateChanged',
    'TemplateQualityReported',
    'TemplateCategoryAnnounced',
    'TemplateSendRefused',
    'TemplateRemoved',
  ],
  documentId: ({ record }) => templateStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    if (!doc && event.type !== 'TemplateImported') return null;
    const before = doc ? stateOf(doc) : initialTemplate;
    const state = evolveTemplate(before, event);
    // An event type that the aggregate does not know.
    if (doc && state === before) return doc;
    const at = record.meta.occurred_at;
    const { definition, lastRefusal } = state;
    const { components, ...rest } = definition;
    const refused = event.type === 'TemplateSendRefused' ? at : (doc?.last_refusal?.at ?? at);
    return {
      uuid,
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
