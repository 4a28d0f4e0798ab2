import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { SavedRepliesCommand } from '../../../domain/saved-replies/decide.js';
import type { SavedRepliesEvent } from '../../../domain/saved-replies/events.js';

const delivery = deriveId('example', 'saved reply');

export const savedRepliesEventExamples = {
  added: {
    type: 'SavedReplyAdded',
    data: {
      company_uuid: exampleIds.company,
      reply_uuid: delivery,
      title: 'Prazo de entrega',
      short_cut: 'prazo',
      text: 'Oi {{contact.first_name|tudo bem}}! Entregamos em até 2 dias úteis.',
    },
  },
  changed: {
    type: 'SavedReplyChanged',
    data: {
      reply_uuid: delivery,
      title: 'Prazo de entrega',
      short_cut: 'entrega',
      text: 'Entregamos em até 2 dias úteis.',
    },
  },
  removed: { type: 'SavedReplyRemoved', data: { reply_uuid: delivery } },
} satisfies EventExamples<SavedRepliesEvent>;

const { added } = savedRepliesEventExamples;

export const savedRepliesCommandExamples = {
  add: {
    given: [],
    command: {
      type: 'AddSavedReply',
      companyUuid: exampleIds.company,
      replyUuid: delivery,
      title: added.data.title,
      shortCut: added.data.short_cut,
      text: added.data.text,
    },
  },
  change: {
    given: [added],
    command: {
      type: 'ChangeSavedReply',
      replyUuid: delivery,
      shortCut: 'entrega',
      text: 'Entregamos em até 2 dias úteis.',
    },
  },
  remove: { given: [added], command: { type: 'RemoveSavedReply', replyUuid: delivery } },
} satisfies CommandExamples<SavedRepliesEvent, SavedRepliesCommand>;
