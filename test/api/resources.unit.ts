import { expect } from 'chai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadContract } from '../../api/contract.js';
import { presentChannel } from '../../application/resources/channel.js';
import { presentContact } from '../../application/resources/contact.js';
import { presentConversation, presentConversationDetail } from '../../application/resources/conversation.js';
import { presentMessage } from '../../application/resources/message.js';
import { presentOperation } from '../../application/resources/operation.js';
import { presentSettings } from '../../application/resources/store.js';
import { presentTemplate, type TemplateDocument } from '../../application/resources/template.js';
import { storeEventExamples } from '../support/examples/store.js';
import { templateVariables } from '../../domain/policies/template.js';
import type { ChannelDoc } from '../../read-models/channels.js';
import type { ContactDoc } from '../../read-models/contacts.js';
import type { ConversationDoc } from '../../read-models/conversations.js';
import type { MessageDoc } from '../../read-models/messages.js';
import type { OperationDoc } from '../../read-models/operations.js';
import type { StoreDoc } from '../../read-models/stores.js';

const uuid = (n: number): string => `0198a6f0-0000-4000-8000-${String(n).padStart(12, '0')}`;
const at = '2026-11-20T14:02:11.482Z';
const company_uuid = uuid(99);

// Complete documents as the projections write them; the compiler checks that they are valid.
const channel: Omit<ChannelDoc, 'state'> = {
  uuid: uuid(1),
  company_uuid,
  phone_number_id: '1',
  waba_id: '2',
  display_name: null,
  phone_number: null,
  status: 'pending',
  provider_status: 'PENDING',
  quality_rating: 'GREEN',
  throughput_level: null,
  verified_name: 'Loja',
  name_status: 'APPROVED',
  messaging_limit: 'TIER_2K',
  account_mode: 'LIVE',
  on_business_app: false,
  access_refused: null,
  ban_state: null,
  restrictions: [],
  taken_off: false,
  access_token_sealed: 'SEALED',
  created_at: at,
  updated_at: at,
};
const contact: ContactDoc = {
  uuid: uuid(2),
  company_uuid,
  listed_in: company_uuid,
  merged_into: null,
  subject: uuid(3),
  phone: '+5511987654321',
  phone_key: '5511987654321',
  wa_user_id: null,
  name: 'Maria',
  email: null,
  tags: ['vip'],
  custom_fields: { utm_source: 'x' },
  marketing_opted_out: false,
  marketing_opt_out_at: null,
  marketing_opt_out_source: null,
  marketing_wish_at: null,
  external_ids: { [uuid(4)]: 'mine', [uuid(5)]: 'theirs' },
  wa_ids: {},
  words: ['maria'],
  last_interaction_at: null,
  erased_at: null,
  created_at: at,
  updated_at: at,
};
const conversation: ConversationDoc = {
  uuid: uuid(6),
  company_uuid,
  channel_uuid: uuid(1),
  contact_uuid: uuid(2),
  ordinal: 0,
  status: 'open',
  execution_uuid: null,
  assigned_agent_uuid: uuid(11),
  assigned_group_uuid: null,
  last_inbound_at: at,
  unread_count: 1,
  unread: 'some',
  counters: { messages: 1, inbound: 1, outbound: 0, notes: 0 },
  last_activity_at: at,
  last_message_at: at,
  created_at: at,
  updated_at: at,
};
const message: MessageDoc = {
  uuid: uuid(7),
  company_uuid,
  channel_uuid: uuid(1),
  conversation_uuid: uuid(6),
  contact_uuid: uuid(2),
  operation_uuid: uuid(8),
  direction: 'outbound',
  type: 'template',
  status: 'sent',
  content: { name: 'pedido', language: 'pt_BR', parameters: ['a'] },
  text: 'Olá a',
  provider_message_id: 'wamid.1',
  error: null,
  context: null,
  referral: null,
  pricing: null,
  media: null,
  transcript: null,
  edited_at: null,
  deleted_at: null,
  deleted_by: null,
  sent_at: null,
  ordered_at: at,
  position: '1',
  created_at: at,
  updated_at: at,
};
const operation: OperationDoc = {
  uuid: uuid(8),
  company_uuid,
  integration_uuid: uuid(4),
  channel_uuid: uuid(1),
  contact_uuid: uuid(2),
  conversation_uuid: uuid(6),
  message_uuid: uuid(7),
  type: 'message.send',
  status: 'failed',
  text: 'Olá a',
  external_id: null,
  result: null,
  error: { code: 'provider_rejected', message: 'No.', details: { provider: { code: 1 } } },
  waiting: null,
  attempts: 1,
  created_at: at,
  started_at: at,
  completed_at: at,
};
const template: TemplateDocument = {
  uuid: uuid(9),
  company_uuid,
  channel_uuid: uuid(1),
  waba_id: '2',
  name: 'pedido',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  variables: templateVariables([{ type: 'BODY', text: '{{1}}' }], 'POSITIONAL'),
  removed_at: null,
  created_at: at,
  updated_at: at,
};

/**
 * The contract's schema of a resource, without additional properties: a field outside the schema must not be returned.
 */
function schemaProblems(name: string, value: object): string {
  const document = structuredClone(loadContract().document) as unknown as {
    components: { schemas: Record<string, Record<string, unknown>> };
  };
  document.components.schemas[name]!['unevaluatedProperties'] = false;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema({ ...document, $id: 'contract' });
  const validate = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

const noFile = () => null;
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const agent = { uuid: uuid(11), name: 'Bia' };
const parts = { contact, channel, agent, group: undefined };

describe('resources', () => {
  const integration = uuid(4);
  const shown: [string, object][] = [
    ['Channel', presentChannel(channel, NOW)],
    ['Contact', presentContact(contact, integration)],
    ['Conversation', presentConversation(conversation, contact, integration)],
    ['ConversationDetail', presentConversationDetail(conversation, parts, integration, NOW)],
    ['Message', presentMessage(message, noFile)],
    ['Operation', presentOperation(operation)],
    ['Template', presentTemplate(template)],
  ];
  for (const [name, resource] of shown) {
    it(`${name} is exactly what the contract says, and nothing of the document beyond it`, () => {
      expect(schemaProblems(name, resource)).to.equal('');
    });
  }

  it('echo the external id of the integration that asks, of no other', () => {
    expect(presentContact(contact, integration).external_id).to.equal('mine');
    expect(presentContact(contact, uuid(10)).external_id).to.equal(null);
  });

  it('show a template message with the text its recipient reads, others as they are', () => {
    expect(presentMessage(message, noFile).content).to.deep.equal({ ...message.content, text: 'Olá a' });
    const content = { text: 'Oi', preview_url: true };
    const text = presentMessage({ ...message, type: 'text', content, text: 'Oi' }, noFile);
    expect(text.content).to.equal(content);
  });

  it('show why a message failed, and what WhatsApp said when it was WhatsApp', () => {
    const provider = { code: 131026, title: 'Message undeliverable', details: null };
    const error = { code: 'recipient_unreachable', message: 'Message undeliverable', provider };
    const failed = presentMessage({ ...message, status: 'failed', error }, noFile);
    expect(schemaProblems('Message', failed)).to.equal('');
    expect(failed.error).to.deep.equal({
      code: 'recipient_unreachable',
      message: 'Message undeliverable',
      details: { provider },
    });
    const ours = presentMessage(
      { ...message, status: 'failed', error: { ...error, provider: null } },
      noFile,
    );
    expect(ours.error?.details).to.deep.equal({});
    expect(presentMessage(message, noFile).error).to.equal(null);
  });

  it('let only a connected channel send', () => {
    const none = { send_text: false, send_template: false, start_flow: false };
    expect(presentChannel(channel, NOW).capabilities).to.deep.equal(none);
    const all = { send_text: true, send_template: true, start_flow: true };
    expect(presentChannel({ ...channel, status: 'connected' }, NOW).capabilities).to.deep.equal(all);
  });

  it('show no limits of a store whose document is older than they are', () => {
    const {
      company_uuid: _company,
      max_product_units_per_order: _units,
      max_unpaid_orders_per_contact: _unpaid,
      ...settings
    } = storeEventExamples.opened.data;
    const store: StoreDoc = {
      uuid: uuid(1),
      company_uuid,
      allowed: true,
      settings: { ...settings, status: 'active' },
      categories: [],
      created_at: at,
      updated_at: at,
    };
    const orders_by_status = { novo: 0, confirmado: 0, pago: 0, entregue: 0, cancelado: 0 };
    const counts = { product_count: 0, active_product_count: 0, order_count: 0, orders_by_status };
    expect(presentSettings(store, counts, 'https://loja.example')).to.include({
      max_product_units_per_order: null,
      max_unpaid_orders_per_contact: null,
    });
  });

  it('show a conversation whose contact or channel is not there', () => {
    const detail = presentConversationDetail(
      conversation,
      { contact: undefined, channel: undefined, agent: undefined, group: undefined },
      integration,
      NOW,
    );
    expect(detail).to.include({ contact: null, channel: null, assigned_agent: null, assigned_group: null });
  });
});
