import { exampleIds, type CommandExamples, type EventExamples } from '../kernel/examples.js';
import type { ContactCommand } from './decide.js';
import type { ContactEvent } from './events.js';

export const contactEventExamples = {
  created: {
    type: 'ContactCreated',
    data: {
      company_uuid: exampleIds.company,
      source: 'send',
      subject: exampleIds.subject,
      phone: '+553188887777',
      phone_key: '5531988887777',
      wa_user_id: null,
      name: null,
    },
  },
  named: { type: 'ContactNamed', data: { source: 'profile', name: 'Beatriz Souza' } },
  waIdLearned: {
    type: 'ContactWaIdLearned',
    data: { channel_uuid: exampleIds.channel, wa_id: '553188887777' },
  },
  linked: {
    type: 'ContactLinked',
    data: { integration_uuid: exampleIds.integration, external_id: 'customer-42' },
  },
  erased: { type: 'ContactErased', data: { reason: 'requested by the person' } },
} satisfies EventExamples<ContactEvent>;

const { created } = contactEventExamples;

export const contactCommandExamples = {
  create: {
    given: [],
    command: {
      type: 'CreateContact',
      companyUuid: exampleIds.company,
      source: 'send',
      subject: exampleIds.subject,
      phone: '+553188887777',
      phoneKey: '5531988887777',
      waUserId: null,
      name: null,
    },
  },
  learnProfileName: { given: [created], command: { type: 'LearnProfileName', name: 'Beatriz Souza' } },
  learnWaId: {
    given: [created],
    command: { type: 'LearnWaId', channelUuid: exampleIds.channel, waId: '553188887777' },
  },
  link: {
    given: [created],
    command: { type: 'LinkContact', integrationUuid: exampleIds.integration, externalId: 'customer-42' },
  },
  erase: { given: [created], command: { type: 'EraseContact', reason: 'requested by the person' } },
} satisfies CommandExamples<ContactEvent, ContactCommand>;
