import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import type { FlowCommand } from '../../../domain/flow/decide.js';
import type { FlowEvent } from '../../../domain/flow/events.js';

const definition = {
  schema: 1,
  start: 'welcome',
  triggers: [{ on: 'keyword', words: ['oi'] }],
  blocks: {
    welcome: { type: 'send_text', text: 'Olá {{contact.name|cliente}}!', next: 'question' },
    question: {
      type: 'ask',
      text: 'Posso ajudar?',
      save_as: 'help',
      choices: [
        { id: 'yes', title: 'Sim', next: 'people' },
        { id: 'no', title: 'Não' },
      ],
      next: null,
    },
    people: { type: 'handoff', note: 'Veio de {{vars.utm_source|lugar nenhum}}.' },
  },
} satisfies FlowDefinition;
const digest = 'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78';

export const flowEventExamples = {
  created: { type: 'FlowCreated', data: { company_uuid: exampleIds.company, name: 'Boas-vindas' } },
  renamed: { type: 'FlowRenamed', data: { name: 'Olá' } },
  draftSaved: { type: 'FlowDraftSaved', data: { definition, digest } },
  published: { type: 'FlowPublished', data: { version: 1, definition, digest } },
  unpublished: { type: 'FlowUnpublished', data: {} },
  deleted: { type: 'FlowDeleted', data: {} },
} satisfies EventExamples<FlowEvent>;

const { created, draftSaved, published } = flowEventExamples;

export const flowCommandExamples = {
  create: {
    given: [],
    command: { type: 'CreateFlow', companyUuid: exampleIds.company, name: 'Boas-vindas' },
  },
  rename: { given: [created], command: { type: 'RenameFlow', name: 'Olá' } },
  saveDraft: { given: [created], command: { type: 'SaveFlowDraft', definition, digest } },
  publish: {
    given: [created, draftSaved],
    command: { type: 'PublishFlow', flowUuid: deriveId('example', 'flow'), others: new Map() },
  },
  unpublish: { given: [created, draftSaved, published], command: { type: 'UnpublishFlow' } },
  delete: { given: [created], command: { type: 'DeleteFlow' } },
} satisfies CommandExamples<FlowEvent, FlowCommand>;
