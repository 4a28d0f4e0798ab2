import type { ChannelUuid, CompanyUuid } from '../kernel/ids.js';
import type { TemplateEvent } from './events.js';
import { templateStatus } from './status.js';

export interface TemplateDefinition {
  readonly providerTemplateId: string;
  /** In the contract's terms. */
  readonly status: string;
  readonly providerStatus: string;
  readonly category: string;
  readonly providerCategory: string;
  readonly parameterFormat: 'POSITIONAL' | 'NAMED';
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly rejectedReason: string | null;
}

export interface Template {
  readonly exists: boolean;
  /** The template is no longer in the provider's account; its last known data stays. */
  readonly removed: boolean;
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  readonly definition: TemplateDefinition;
  readonly quality: string | null;
  /** The category to which the provider will move the template; null when it announced none. */
  readonly upcomingCategory: string | null;
  /** The last refusal since the template changed. */
  readonly lastRefusal: { readonly code: number; readonly title: string } | null;
}

export const initialTemplate: Template = {
  exists: false,
  removed: false,
  companyUuid: '',
  channelUuid: '',
  wabaId: '',
  name: '',
  language: '',
  definition: {
    providerTemplateId: '',
    status: 'DRAFT',
    providerStatus: 'DRAFT',
    category: '',
    providerCategory: '',
    parameterFormat: 'POSITIONAL',
    components: [],
    rejectedReason: null,
  },
  quality: null,
  upcomingCategory: null,
  lastRefusal: null,
};

export function evolveTemplate(state: Template, event: TemplateEvent): Template {
  switch (event.type) {
    case 'TemplateImported':
      return {
        ...initialTemplate,
        exists: true,
        companyUuid: event.data.company_uuid,
        channelUuid: event.data.channel_uuid,
        wabaId: event.data.waba_id,
        name: event.data.name,
        language: event.data.language,
        definition: definitionOf(event.data),
      };
    case 'TemplateChanged': {
      const definition = definitionOf(event.data);
      const moved = definition.category === state.upcomingCategory;
      return {
        ...state,
        definition,
        upcomingCategory: moved ? null : state.upcomingCategory,
        lastRefusal: null,
      };
    }
    case 'TemplateQualityReported':
      return { ...state, quality: event.data.quality };
    case 'TemplateCategoryAnnounced':
      return { ...state, upcomingCategory: event.data.category };
    case 'TemplateSendRefused': {
      const { code, title, provider_status } = event.data;
      return {
        ...state,
        lastRefusal: { code, title },
        definition:
          provider_status === null
            ? state.definition
            : {
                ...state.definition,
                providerStatus: provider_status,
                status: templateStatus(provider_status),
              },
      };
    }
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
    providerStatus: data.provider_status,
    category: data.category,
    providerCategory: data.provider_category,
    parameterFormat: data.parameter_format,
    components: data.components,
    rejectedReason: data.rejected_reason,
  };
}
