import { templateVariables, type TemplateVariables } from '../../domain/policies/template.js';
import type { TemplateEvent } from '../../domain/template/events.js';
import { templateStream } from '../../domain/template/stream.js';
import { defineProjection } from '../projection.js';

export type TemplateDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly waba_id: string;
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly parameter_format: 'POSITIONAL' | 'NAMED';
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly variables: TemplateVariables;
  readonly created_at: string;
  readonly updated_at: string;
};

export const templates = defineProjection<TemplateDoc, TemplateEvent>({
  name: 'templates',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'name', 'language'],
    by_status: ['company_uuid', 'status', 'name', 'language'],
  },
  handles: ['TemplateImported', 'TemplateChanged', 'TemplateRemoved'],
  documentId: ({ record }) => templateStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    if (event.type === 'TemplateRemoved') return null;
    if (event.type !== 'TemplateImported' && event.type !== 'TemplateChanged') return doc ?? null;
    const at = record.meta.occurred_at;
    const definition = {
      status: event.data.status,
      category: event.data.category,
      parameter_format: event.data.parameter_format,
      components: event.data.components,
      variables: templateVariables(event.data.components, event.data.parameter_format),
      updated_at: at,
    };
    if (event.type === 'TemplateImported') {
      const { company_uuid, channel_uuid, waba_id, name, language } = event.data;
      return {
        uuid: templateStream.match(record.stream)!,
        company_uuid,
        channel_uuid,
        waba_id,
        name,
        language,
        created_at: at,
        ...definition,
      };
    }
    return doc ? { ...doc, ...definition } : null;
  },
});
