import type { Aggregate } from '../kernel/decider.js';
import type { ChannelUuid, CompanyUuid } from '../kernel/ids.js';
import { canonicalJson } from '../policies/canonical-json.js';
import { templateStream } from '../streams.js';
import { templateEvents, type TemplateEvent } from './events.js';
import { evolveTemplate, initialTemplate, type Template, type TemplateDefinition } from './state.js';
import { isDeleted, statusAfterRefusal, templateCategory, templateStatus } from './status.js';

export type TemplateCommand =
  /** The template as the provider has it now, in the provider's terms. */
  | {
      readonly type: 'ImportTemplate';
      readonly companyUuid: CompanyUuid;
      readonly channelUuid: ChannelUuid;
      readonly wabaId: string;
      readonly name: string;
      readonly language: string;
      readonly definition: {
        readonly providerTemplateId: string;
        readonly status: string;
        readonly category: string;
        readonly parameterFormat: 'POSITIONAL' | 'NAMED';
        readonly components: readonly Readonly<Record<string, unknown>>[];
        readonly rejectedReason?: string | null;
        /** Left out: the provider did not report it. */
        readonly quality?: string | null;
      };
    }
  /** Details that a provider webhook reported, in the provider's terms; fields that are left out stay. */
  | {
      readonly type: 'ReportTemplate';
      readonly status?: string;
      readonly rejectedReason?: string | null;
      readonly category?: string;
      readonly upcomingCategory?: string;
      readonly quality?: string;
    }
  /** A send was refused because of the template. */
  | { readonly type: 'NoteTemplateRefusal'; readonly code: number; readonly title: string }
  | { readonly type: 'RemoveTemplate' };

export function decideTemplate(command: TemplateCommand, state: Template): readonly TemplateEvent[] {
  switch (command.type) {
    case 'ImportTemplate':
      return importTemplate(command, state);
    case 'ReportTemplate':
      return state.exists && !state.removed ? report(command, state) : [];
    case 'NoteTemplateRefusal': {
      if (!state.exists || state.removed) return [];
      const { code, title } = command;
      const status = statusAfterRefusal(code);
      const told = state.lastRefusal?.code === code;
      if (told && (status === null || status === state.definition.providerStatus)) return [];
      return [{ type: 'TemplateSendRefused', data: { code, title, provider_status: status } }];
    }
    case 'RemoveTemplate':
      return remove(state);
    default:
      return command satisfies never;
  }
}

const remove = (state: Template): readonly TemplateEvent[] =>
  state.exists && !state.removed ? [{ type: 'TemplateRemoved', data: {} }] : [];

function importTemplate(
  command: Extract<TemplateCommand, { type: 'ImportTemplate' }>,
  state: Template,
): readonly TemplateEvent[] {
  const { companyUuid, channelUuid, wabaId, name, language } = command;
  const { quality } = command.definition;
  if (isDeleted(command.definition.status)) return remove(state);
  const definition: TemplateDefinition = {
    ...inBothWords(command.definition.status, command.definition.category),
    providerTemplateId: command.definition.providerTemplateId,
    parameterFormat: command.definition.parameterFormat,
    components: command.definition.components.map((c) => ({ ...c })),
    rejectedReason: command.definition.rejectedReason ?? null,
  };
  // A removed template that returns is recorded in full.
  const isNew = !state.exists || state.removed;
  const rated = quality === undefined || quality === (isNew ? null : state.quality);
  const data = dataOf(definition);
  const place = {
    company_uuid: companyUuid,
    channel_uuid: channelUuid,
    waba_id: wabaId,
    name,
    language,
  };
  return [
    ...(isNew
      ? [{ type: 'TemplateImported', data: { ...place, ...data } } as const]
      : same(state.definition, definition)
        ? []
        : [{ type: 'TemplateChanged', data } as const]),
    ...(rated ? [] : [{ type: 'TemplateQualityReported', data: { quality } } as const]),
  ];
}

function report(
  command: Extract<TemplateCommand, { type: 'ReportTemplate' }>,
  state: Template,
): readonly TemplateEvent[] {
  const { status, category, upcomingCategory, quality } = command;
  if (status !== undefined && isDeleted(status)) return remove(state);
  const { definition } = state;
  const next: TemplateDefinition = {
    ...definition,
    ...inBothWords(status ?? definition.providerStatus, category ?? definition.providerCategory),
    rejectedReason: status === undefined ? definition.rejectedReason : (command.rejectedReason ?? null),
  };
  const moves =
    upcomingCategory !== undefined &&
    templateCategory(upcomingCategory) !== state.upcomingCategory &&
    templateCategory(upcomingCategory) !== next.category;
  return [
    ...(same(definition, next) ? [] : [{ type: 'TemplateChanged', data: dataOf(next) } as const]),
    ...(moves
      ? [
          {
            type: 'TemplateCategoryAnnounced',
            data: { category: templateCategory(upcomingCategory), provider_category: upcomingCategory },
          } as const,
        ]
      : []),
    ...(quality === undefined || quality === state.quality
      ? []
      : [{ type: 'TemplateQualityReported', data: { quality } } as const]),
  ];
}

const inBothWords = (providerStatus: string, providerCategory: string) => ({
  status: templateStatus(providerStatus),
  providerStatus,
  category: templateCategory(providerCategory),
  providerCategory,
});

/** The provider promises no order of keys: a different order is not a change. */
const same = (a: TemplateDefinition, b: TemplateDefinition): boolean => canonicalJson(a) === canonicalJson(b);

const dataOf = (definition: TemplateDefinition) => ({
  provider_template_id: definition.providerTemplateId,
  status: definition.status,
  provider_status: definition.providerStatus,
  category: definition.category,
  provider_category: definition.providerCategory,
  parameter_format: definition.parameterFormat,
  components: [...definition.components],
  rejected_reason: definition.rejectedReason,
});

export const templateAggregate: Aggregate<Template, TemplateCommand, TemplateEvent> = {
  stream: templateStream,
  events: templateEvents,
  initial: initialTemplate,
  decide: decideTemplate,
  evolve: evolveTemplate,
};
