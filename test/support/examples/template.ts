import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { TemplateCommand } from '../../../domain/template/decide.js';
import type { TemplateEvent } from '../../../domain/template/events.js';

const components = [
  { type: 'BODY', text: 'Olá {{1}}, seu pedido {{2}} saiu para entrega.' },
  { type: 'FOOTER', text: 'Padaria da Ana' },
];

const definition = {
  provider_template_id: '594425479261596',
  status: 'APPROVED',
  provider_status: 'APPROVED',
  category: 'UTILITY',
  provider_category: 'UTILITY',
  parameter_format: 'POSITIONAL',
  components,
  rejected_reason: null,
} as const;

export const templateEventExamples = {
  imported: {
    type: 'TemplateImported',
    data: {
      company_uuid: exampleIds.company,
      channel_uuid: exampleIds.channel,
      waba_id: '102290129340398',
      name: 'pedido_saiu',
      language: 'pt_BR',
      ...definition,
      components,
    },
  },
  paused: {
    type: 'TemplateChanged',
    data: { ...definition, components, status: 'PAUSED', provider_status: 'PAUSED' },
  },
  qualityReported: { type: 'TemplateQualityReported', data: { quality: 'YELLOW' } },
  categoryAnnounced: {
    type: 'TemplateCategoryAnnounced',
    data: { category: 'MARKETING', provider_category: 'MARKETING' },
  },
  sendRefused: {
    type: 'TemplateSendRefused',
    data: { code: 132015, title: 'Template is paused', provider_status: 'PAUSED' },
  },
  removed: { type: 'TemplateRemoved', data: {} },
} satisfies EventExamples<TemplateEvent>;

const { imported } = templateEventExamples;

const importTemplate = {
  type: 'ImportTemplate',
  companyUuid: exampleIds.company,
  channelUuid: exampleIds.channel,
  wabaId: '102290129340398',
  name: 'pedido_saiu',
  language: 'pt_BR',
  definition: {
    providerTemplateId: '594425479261596',
    status: 'APPROVED',
    category: 'UTILITY',
    parameterFormat: 'POSITIONAL',
    components,
  },
} satisfies TemplateCommand;

export const templateCommandExamples = {
  import: { given: [], command: importTemplate },
  importPaused: {
    given: [imported],
    command: { ...importTemplate, definition: { ...importTemplate.definition, status: 'PAUSED' } },
  },
  reportQuality: { given: [imported], command: { type: 'ReportTemplate', quality: 'YELLOW' } },
  announceCategory: {
    given: [imported],
    command: { type: 'ReportTemplate', upcomingCategory: 'MARKETING' },
  },
  noteRefusal: {
    given: [imported],
    command: { type: 'NoteTemplateRefusal', code: 132015, title: 'Template is paused' },
  },
  remove: { given: [imported], command: { type: 'RemoveTemplate' } },
} satisfies CommandExamples<TemplateEvent, TemplateCommand>;
