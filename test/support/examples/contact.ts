import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { ContactCommand } from '../../../domain/contact/decide.js';
import type { ContactEvent } from '../../../domain/contact/events.js';

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
  unlinked: {
    type: 'ContactUnlinked',
    data: { integration_uuid: exampleIds.integration, external_id: 'customer-42' },
  },
  changed: {
    type: 'ContactChanged',
    data: {
      source: 'api',
      changed: ['name', 'tags', 'custom_fields'],
      name: 'Beatriz Souza',
      email: null,
      tags: ['vip'],
      custom_fields: { utm_source: 'instagram' },
    },
  },
  phoneLearned: {
    type: 'ContactPhoneLearned',
    data: { source: 'inbound', phone: '+553188887777', phone_key: '5531988887777' },
  },
  userIdLearned: { type: 'ContactUserIdLearned', data: { wa_user_id: 'BR.1502576394655843' } },
  optedOut: {
    type: 'ContactOptedOut',
    data: { source: 'keyword', at: '2026-03-02T11:00:00.000Z', message_uuid: exampleIds.message },
  },
  optedIn: {
    type: 'ContactOptedIn',
    data: { source: 'manual', at: '2026-03-02T11:30:00.000Z', message_uuid: null },
  },
  attributed: {
    type: 'ContactAttributed',
    data: {
      custom_fields: { ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e', ad_id: '120210001', referral_source: 'ad' },
    },
  },
  mergedInto: {
    type: 'ContactMergedInto',
    data: { contact_uuid: exampleIds.otherContact, reason: 'same_person' },
  },
  absorbed: {
    type: 'ContactAbsorbed',
    data: {
      contact_uuid: exampleIds.otherContact,
      absorbed_uuids: [],
      phone: null,
      phone_key: null,
      phone_keys: [],
      wa_user_id: 'BR.1502576394655843',
      wa_user_ids: ['BR.1502576394655843'],
      name: 'Bia',
      email: null,
      tags: ['newsletter'],
      custom_fields: { utm_source: 'google' },
      wa_ids: {},
      links: {},
      external_ids: {},
      opted_out: false,
      wish_at: null,
      attributed: false,
      last_interaction_at: '2026-03-01T10:00:00.000Z',
    },
  },
  erased: { type: 'ContactErased', data: { reason: 'requested by the person' } },
} satisfies EventExamples<ContactEvent>;

const { created, linked, absorbed } = contactEventExamples;

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
  unlink: {
    given: [created, linked],
    command: { type: 'UnlinkContact', integrationUuid: exampleIds.integration, externalId: 'customer-42' },
  },
  change: {
    given: [created],
    command: {
      type: 'ChangeContact',
      source: 'api',
      details: { name: 'Beatriz Souza', tags: ['vip'], custom_fields: { utm_source: 'instagram' } },
    },
  },
  addTag: { given: [created], command: { type: 'ChangeTag', source: 'flow', add: 'vip' } },
  learnPhone: {
    given: [{ ...created, data: { ...created.data, phone: null, phone_key: null } }],
    command: {
      type: 'LearnPhone',
      source: 'inbound',
      phone: '+553188887777',
      phoneKey: '5531988887777',
      revive: false,
    },
  },
  learnUserId: { given: [created], command: { type: 'LearnUserId', waUserId: 'BR.1502576394655843' } },
  optOut: {
    given: [created],
    command: {
      type: 'OptOut',
      source: 'keyword',
      at: '2026-03-02T11:00:00.000Z',
      messageUuid: exampleIds.message,
    },
  },
  optIn: {
    given: [created, contactEventExamples.optedOut],
    command: { type: 'OptIn', source: 'manual', at: '2026-03-02T11:30:00.000Z', messageUuid: null },
  },
  attribute: {
    given: [created],
    command: { type: 'AttributeContact', customFields: { ad_id: '120210001', referral_source: 'ad' } },
  },
  mergeInto: {
    given: [created],
    command: { type: 'MergeInto', contactUuid: exampleIds.otherContact, reason: 'same_person' },
  },
  absorb: { given: [created], command: { type: 'AbsorbContact', data: absorbed.data } },
  erase: { given: [created], command: { type: 'EraseContact', reason: 'requested by the person' } },
} satisfies CommandExamples<ContactEvent, ContactCommand>;
