import { exampleIds, type CommandExamples, type EventExamples } from '../kernel/examples.js';
import type { TemplateCommand } from './decide.js';
import type { TemplateEvent } from './events.js';

const components = [
  { type: 'BODY', text: 'Olá {{1}}, seu pedido {{2}} saiu para entrega.' },
  { type: 'FOOTER', text: 'Padaria da Ana' },
];

const definition = {
  provider_template_id: '594425479261596',
  status: 'APPROVED',
  category: 'UTILITY',
  parameter_format: 'POSITIONAL',
  components,
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
  paused: { type: 'TemplateChanged', data: { ...definition, components, status: 'PAUSED' } },
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
  remove: { given: [imported], command: { type: 'RemoveTemplate' } },
} satisfies CommandExamples<TemplateEvent, TemplateCommand>;
