import type { TemplateEvent } from './events.js';

export interface TemplateDefinition {
  readonly providerTemplateId: string;
  readonly status: string;
  readonly category: string;
  readonly parameterFormat: 'POSITIONAL' | 'NAMED';
  readonly components: readonly Readonly<Record<string, unknown>>[];
}

export interface Template {
  readonly exists: boolean;
  readonly removed: boolean;
  readonly companyUuid: string;
  readonly name: string;
  readonly language: string;
  readonly definition: TemplateDefinition;
}

export const initialTemplate: Template = {
  exists: false,
  removed: false,
  companyUuid: '',
  name: '',
  language: '',
  definition: {
    providerTemplateId: '',
    status: 'DRAFT',
    category: '',
    parameterFormat: 'POSITIONAL',
    components: [],
  },
};

export function evolveTemplate(state: Template, event: TemplateEvent): Template {
  switch (event.type) {
    case 'TemplateImported':
      return {
        exists: true,
        removed: false,
        companyUuid: event.data.company_uuid,
        name: event.data.name,
        language: event.data.language,
        definition: definitionOf(event.data),
      };
    case 'TemplateChanged':
      return { ...state, definition: definitionOf(event.data) };
    case 'TemplateRemoved':
      return { ...state, removed: true };
    default:
      return state;
  }
}

function definitionOf(data: Extract<TemplateEvent, { type: 'TemplateChanged' }>['data']): TemplateDefinition {
  return {
    providerTemplateId: data.provider_template_id,
    status: data.status,
    category: data.category,
    parameterFormat: data.parameter_format,
    components: data.components,
  };
}
