/** Given events, then documents: one table per read model. */
import { expect } from 'chai';
import { channelEventExamples as channel } from '../support/examples/channel.js';
import { companyEventExamples as company } from '../support/examples/company.js';
import { contactEventExamples as contact } from '../support/examples/contact.js';
import { conversationEventExamples as conversation } from '../support/examples/conversation.js';
import { intakeEventExamples as intake } from '../support/examples/intake.js';
import { integrationEventExamples as integration } from '../support/examples/integration.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { exampleIds as ids } from '../support/examples/example.js';
import { messageEventExamples as message } from '../support/examples/message.js';
import { operationEventExamples as operation } from '../support/examples/operation.js';
import { templateEventExamples as template } from '../support/examples/template.js';
import { apiKeys } from '../../projections/models/api-keys.js';
import { channels } from '../../projections/models/channels.js';
import { companies } from '../../projections/models/companies.js';
import { contacts } from '../../projections/models/contacts.js';
import { conversations } from '../../projections/models/conversations.js';
import { integrations } from '../../projections/models/integrations.js';
import { messages } from '../../projections/models/messages.js';
import { operations } from '../../projections/models/operations.js';
import { channelPacing } from '../../projections/models/pacing.js';
import { parkedUpdates } from '../../projections/models/parked-updates.js';
import { templates } from '../../projections/models/templates.js';
import { webhookEndpoints } from '../../projections/models/webhook-endpoints.js';
import { asAny, type Projection } from '../../projections/projection.js';
import { at, history, project } from '../support/projections.js';
import { withData } from '../support/events.js';

const on =
  (category: keyof typeof ids, name: string = category) =>
  (...events: readonly DomainEvent[]) =>
    events.map((event) => [`${name}-${ids[category]}`, event] as const);
const onContact = on('contact');
const onConversation = on('conversation');
const onMessage = on('message');
const onOperation = on('operation');
const onIntegration = on('integration');

type Entries = readonly (readonly [string, DomainEvent])[];

function documents<Doc extends Record<string, unknown>, Event extends DomainEvent>(
  projection: Projection<Doc, Event>,
  ...entries: readonly Entries[]
): Readonly<Record<string, Doc>> {
  return project(asAny(projection), history(...entries.flat())) as Readonly<Record<string, Doc>>;
}

describe('companies', () => {
  it('lists what was registered', () => {
    expect(documents(companies, on('company')(company.registered))).to.deep.equal({
      [ids.company]: {
        uuid: ids.company,
        name: 'Padaria da Ana',
        timezone: 'America/Sao_Paulo',
        marketing: { enabled: false, perContactPerDay: 2, perContactPerWeek: 6, perDay: 1_000 },
        words: { stop: [], resume: [] },
        personWords: [],
        viewersMayReveal: false,
        created_at: at(0),
      },
    });
  });
});

describe('integrations', () => {
  it('hold both secrets while they overlap, and nothing of keys and endpoints', () => {
    const history = onIntegration(integration.registered, integration.keyIssued, integration.secretRotated);
    expect(documents(integrations, history)).to.deep.equal({
      [ids.integration]: {
        uuid: ids.integration,
        company_uuid: ids.company,
        name: 'ERP',
        webhook_secret_sealed: 'sealed:second',
        previous_secret_sealed: 'sealed:first',
        previous_expires_at: '2026-03-03T12:00:00.000Z',
        created_at: at(0),
      },
    });
  });
});

describe('api keys', () => {
  const key = {
    key_id: 'k7f3q2',
    integration_uuid: ids.integration,
    company_uuid: ids.company,
    label: 'production',
    scopes: ['messages:send', 'contacts:read'],
    secret_hash: 'a'.repeat(64),
    created_at: at(1),
    revoked_at: null,
  };

  it('are found by id, also once revoked', () => {
    const issued = onIntegration(integration.registered, integration.keyIssued);
    expect(documents(apiKeys, issued)).to.deep.equal({ k7f3q2: key });
    expect(documents(apiKeys, issued, onIntegration(integration.keyRevoked))).to.deep.equal({
      k7f3q2: { ...key, revoked_at: at(2) },
    });
  });
});

describe('webhook endpoints', () => {
  const endpoint = {
    endpoint_uuid: ids.endpoint,
    integration_uuid: ids.integration,
    company_uuid: ids.company,
    url: 'https://erp.example.com/recado',
    event_types: ['message.received', 'order.created'],
    enabled: true,
    disabled_reason: null,
    changed_by: 'admin',
    created_at: at(0),
    updated_at: at(0),
  };
  const { endpointAdded, endpointChanged, endpointDisabled, endpointRemoved } = integration;

  const table: readonly (readonly [string, readonly DomainEvent[], object | null])[] = [
    ['added', [endpointAdded], endpoint],
    ['changed', [endpointAdded, endpointChanged], { ...endpoint, event_types: null, updated_at: at(1) }],
    [
      'switched off by Recado',
      [endpointAdded, endpointDisabled],
      { ...endpoint, enabled: false, disabled_reason: 'gone', changed_by: 'admin', updated_at: at(1) },
    ],
    [
      'switched on again: the reason goes',
      [endpointAdded, endpointDisabled, endpointChanged],
      { ...endpoint, event_types: null, updated_at: at(2) },
    ],
    ['removed', [endpointAdded, endpointRemoved], null],
    [
      'added again after its removal',
      [endpointAdded, endpointRemoved, endpointAdded],
      { ...endpoint, created_at: at(2), updated_at: at(2) },
    ],
  ];
  for (const [name, events, expected] of table) {
    it(name, () => {
      expect(documents(webhookEndpoints, onIntegration(...events))).to.deep.equal(
        expected ? { [ids.endpoint]: expected } : {},
      );
    });
  }
});

describe('channels', () => {
  const of = (...events: readonly DomainEvent[]) =>
    documents(channels, on('channel')(...events))[ids.channel];

  it('follow the aggregate', () => {
    expect(of(channel.connected)).to.deep.include({
      uuid: ids.channel,
      company_uuid: ids.company,
      phone_number_id: '106540352242922',
      status: 'connected',
      display_name: 'Padaria da Ana',
      access_token_sealed: 'sealed:token-1',
      created_at: at(0),
      updated_at: at(0),
    });
    expect(of(channel.connected, channel.tokenReplaced, channel.healthReported)).to.deep.include({
      status: 'restricted',
      provider_status: 'RESTRICTED',
      quality_rating: 'RED',
      access_token_sealed: 'sealed:token-2',
      created_at: at(0),
      updated_at: at(2),
    });
    expect(of(channel.connected, channel.disconnected)).to.include({ status: 'disconnected' });
  });

  it('show the verified name while they have no other', () => {
    const nameless = withData(channel.connected, { display_name: null });
    const renamed = withData(channel.healthReported, { verified_name: 'Ana' });
    expect(of(nameless)).to.include({ display_name: null });
    expect(of(nameless, renamed)).to.include({ display_name: 'Ana' });
    expect(of(channel.connected, renamed)).to.include({ display_name: 'Padaria da Ana' });
  });
});

describe('templates', () => {
  const of = (...events: readonly DomainEvent[]) =>
    documents(templates, on('template')(...events))[ids.template];

  it('carry their variables (spec §2)', () => {
    expect(of(template.imported)).to.deep.include({
      uuid: ids.template,
      company_uuid: ids.company,
      channel_uuid: ids.channel,
      waba_id: '102290129340398',
      name: 'pedido_saiu',
      language: 'pt_BR',
      status: 'APPROVED',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      components: template.imported.data.components,
      variables: {
        body_parameter_count: 2,
        body_named_parameters: [],
        header: null,
        has_dynamic_buttons: false,
        buttons: [],
        example: {},
      },
      provider_status: 'APPROVED',
      quality: null,
      upcoming_category: null,
      rejected_reason: null,
      last_refusal: null,
      removed_at: null,
      created_at: at(0),
      updated_at: at(0),
    });
  });

  it('show quality, what will become of the category, and the last refusal until they change', () => {
    const { imported, qualityReported, categoryAnnounced, sendRefused, paused } = template;
    expect(of(imported, qualityReported, categoryAnnounced, sendRefused)).to.deep.include({
      status: 'PAUSED',
      provider_status: 'PAUSED',
      quality: 'YELLOW',
      category: 'UTILITY',
      upcoming_category: 'MARKETING',
      last_refusal: { code: 132015, title: 'Template is paused', at: at(3) },
      updated_at: at(3),
    });
    const moved = withData(paused, { category: 'MARKETING' });
    expect(of(imported, categoryAnnounced, sendRefused, moved)).to.deep.include({
      category: 'MARKETING',
      upcoming_category: null,
      last_refusal: null,
    });
  });

  it('change, go, and come back whole', () => {
    expect(of(template.imported, template.paused)).to.include({
      status: 'PAUSED',
      created_at: at(0),
      updated_at: at(1),
    });
    // Marked, never deleted: messages that were sent with it still refer to it.
    expect(of(template.imported, template.removed)).to.deep.include({
      name: 'pedido_saiu',
      status: 'DISABLED',
      provider_status: 'DELETED',
      removed_at: at(1),
    });
    expect(of(template.imported, template.removed, template.imported)).to.include({
      name: 'pedido_saiu',
      status: 'APPROVED',
      removed_at: null,
      created_at: at(0),
      updated_at: at(2),
    });
  });
});

describe('contacts', () => {
  const of = (...entries: readonly Entries[]) => documents(contacts, ...entries)[ids.contact];

  it('gather what is learned', () => {
    expect(of(onContact(contact.created, contact.named, contact.waIdLearned, contact.linked))).to.deep.equal({
      uuid: ids.contact,
      company_uuid: ids.company,
      listed_in: ids.company,
      merged_into: null,
      subject: ids.subject,
      phone: '+553188887777',
      phone_key: '5531988887777',
      wa_user_id: null,
      name: 'Beatriz Souza',
      email: null,
      tags: [],
      custom_fields: {},
      marketing_opted_out: false,
      marketing_opt_out_at: null,
      marketing_opt_out_source: null,
      marketing_wish_at: null,
      external_ids: { [ids.integration]: 'customer-42' },
      wa_ids: { [ids.channel]: '553188887777' },
      words: [
        ...['553188887777', '3188887777', '88887777', '5531988887777', '31988887777', '988887777', '7777'],
        ...['customer', '42', 'beatriz', 'souza'],
      ],
      last_interaction_at: null,
      erased_at: null,
      created_at: at(0),
      updated_at: at(3),
    });
  });

  it("remember the last message the person sent, by the provider's clock, whatever order they come in", () => {
    const earlier = withData(message.received, { sent_at: '2026-03-02T10:00:00.000Z' });
    const expected = { last_interaction_at: message.received.data.sent_at };
    expect(of(onContact(contact.created), onMessage(message.received))).to.include(expected);
    expect(of(onContact(contact.created), onMessage(earlier, message.received))).to.include(expected);
    expect(of(onContact(contact.created), onMessage(message.received, earlier))).to.include(expected);
    expect(of(onContact(contact.created), onMessage(message.queued))).to.include({
      last_interaction_at: null,
    });
  });

  it('remember no interaction later than its record, as from a provider whose clock is years ahead', () => {
    const ahead = withData(message.received, { sent_at: '3000-01-01T00:00:00.000Z' });
    const seen = of(onContact(contact.created), onMessage(ahead))!.last_interaction_at!;
    expect(seen < '2027').to.equal(true, seen);
  });

  it('keep nothing personal once erased', () => {
    const all = [contact.created, contact.named, contact.waIdLearned, contact.linked, contact.changed];
    const more = [contact.userIdLearned, contact.attributed, contact.absorbed, contact.erased];
    const doc = of(onContact(...all, ...more));
    expect(JSON.stringify(doc)).to.not.match(/8888|7777|beatriz|customer|vip|instagram|BR\.|Aff/i);
    expect(doc).to.include({ subject: ids.subject, erased_at: at(8), created_at: at(0) });
  });

  it('change by what is given, and merge custom fields key by key', () => {
    const again = withData(contact.changed, {
      changed: ['name', 'custom_fields'],
      name: null,
      tags: null,
      custom_fields: { utm_source: null, size: 'M' },
    });
    const doc = of(onContact(contact.created, contact.changed, again));
    expect(doc).to.deep.include({
      name: null,
      tags: ['vip'],
      custom_fields: { utm_source: null, size: 'M' },
    });
  });

  it('say since when marketing is unwanted, from the first wish until it is taken back', () => {
    const later = withData(contact.optedOut, { at: '2026-03-02T11:10:00.000Z' });
    const out = of(onContact(contact.created, contact.optedOut, later));
    expect(out).to.include({
      marketing_opted_out: true,
      marketing_opt_out_at: contact.optedOut.data.at,
      marketing_opt_out_source: 'keyword',
    });
    expect(of(onContact(contact.created, contact.optedOut, contact.optedIn))).to.include({
      marketing_opted_out: false,
      marketing_opt_out_at: null,
      marketing_opt_out_source: null,
    });
  });

  it('take over what they lack from a contact that proved to be the same, and leave the list when they end', () => {
    const doc = of(onContact(contact.created, contact.changed, contact.absorbed));
    expect(doc).to.deep.include({
      phone: '+553188887777',
      wa_user_id: 'BR.1502576394655843',
      name: 'Beatriz Souza',
      tags: ['vip', 'newsletter'],
      custom_fields: { utm_source: 'instagram' },
      last_interaction_at: '2026-03-01T10:00:00.000Z',
    });
    expect(of(onContact(contact.created, contact.mergedInto))).to.deep.include({
      listed_in: null,
      merged_into: ids.otherContact,
      words: [],
    });
  });
});

describe('conversations', () => {
  const of = (...entries: readonly Entries[]) => documents(conversations, ...entries)[ids.conversation];
  const opened = onConversation(conversation.opened);

  it('start empty', () => {
    expect(of(opened)).to.deep.equal({
      uuid: ids.conversation,
      company_uuid: ids.company,
      channel_uuid: ids.channel,
      contact_uuid: ids.contact,
      ordinal: 0,
      status: 'open',
      execution_uuid: null,
      assigned_agent_uuid: null,
      assigned_group_uuid: null,
      unread_count: 0,
      unread: 'none',
      counters: { messages: 0, inbound: 0, outbound: 0, notes: 0 },
      last_activity_at: at(0),
      last_message_at: null,
      last_inbound_at: null,
      created_at: at(0),
      updated_at: at(0),
    });
  });

  it('keep who is in charge, and count notes apart without waking up', () => {
    const before = of(opened, onMessage(message.received));
    const after = of(
      opened,
      onMessage(message.received),
      onConversation(conversation.pending, conversation.assigned),
      onMessage(message.noted),
    );
    expect(after).to.deep.equal({
      ...before,
      status: 'pending',
      assigned_agent_uuid: conversation.assigned.data.agent_uuid,
      counters: { messages: 2, inbound: 1, outbound: 0, notes: 1 },
      updated_at: at(4),
    });
  });

  it('know whether a flow is in charge', () => {
    const { takenByFlow: taken, leftByFlow: left, handedOff } = conversation;
    const other = withData(left, { execution_uuid: ids.otherContact });
    const held = { execution_uuid: taken.data.execution_uuid, status: 'pending' };
    expect(of(opened, onConversation(taken))).to.include(held);
    // One that only waited in the queue.
    expect(of(opened, onConversation(taken, other))).to.include(held);
    const free = { execution_uuid: null };
    expect(of(opened, onConversation(taken, left))).to.include({ ...free, status: 'pending' });
    expect(of(opened, onConversation(taken, handedOff))).to.include({ ...free, status: 'open' });
  });

  it('count messages, and unread ones until they are read', () => {
    const talk = onMessage(message.received, message.queued, message.received);
    expect(of(opened, talk)).to.deep.include({
      unread_count: 2,
      counters: { messages: 3, inbound: 2, outbound: 1, notes: 0 },
      last_activity_at: at(3),
      last_message_at: at(3),
    });
    const afterwards = of(opened, talk, onConversation(conversation.read), onMessage(message.received));
    expect(afterwards).to.deep.include({
      unread_count: 1,
      counters: { messages: 4, inbound: 3, outbound: 1, notes: 0 },
    });
  });

  it('know when the customer last wrote; a reaction is no message to be read', () => {
    const { received } = message;
    const reaction = withData(received, { type: 'reaction', sent_at: at(0) });
    expect(of(opened, onMessage(received))).to.include({ last_inbound_at: received.data.sent_at });
    expect(of(opened, onMessage(received, reaction))).to.deep.include({
      last_inbound_at: received.data.sent_at,
      unread_count: 1,
      counters: { messages: 2, inbound: 2, outbound: 0, notes: 0 },
    });
    const ahead = withData(received, { sent_at: '2999-01-01T00:00:00.000Z' });
    expect(of(opened, onMessage(ahead))).to.include({ last_inbound_at: at(1) });
  });

  it('count what the business wrote in its app as outbound', () => {
    expect(of(opened, onMessage(message.echoed))).to.deep.include({
      unread_count: 0,
      last_inbound_at: null,
      last_message_at: at(1),
      counters: { messages: 1, inbound: 0, outbound: 1, notes: 0 },
    });
  });

  it('take a history in at its own time: nothing unread, no window, not the latest', () => {
    const { imported, placeholderImported } = message;
    const byHistory = withData(conversation.opened, { opened_by: 'history' });
    const past = of(onConversation(byHistory), onMessage(placeholderImported, imported));
    expect(past).to.deep.include({
      unread_count: 0,
      last_inbound_at: null,
      last_message_at: placeholderImported.data.sent_at,
      last_activity_at: placeholderImported.data.sent_at,
      counters: { messages: 2, inbound: 1, outbound: 1, notes: 0 },
    });
    const live = of(opened, onMessage(message.queued, imported));
    expect(live).to.include({ last_message_at: at(1), last_activity_at: at(1) });
  });

  it('are not woken up by a notice', () => {
    expect(of(opened, onMessage(message.noticed))).to.deep.include({
      unread_count: 0,
      last_message_at: null,
      last_activity_at: at(0),
      counters: { messages: 1, inbound: 0, outbound: 0, notes: 0 },
    });
  });

  it('are resolved and reopened without being active', () => {
    const { resolved, reopened } = conversation;
    expect(of(opened, onConversation(resolved))).to.include({
      status: 'resolved',
      last_activity_at: at(0),
      updated_at: at(1),
    });
    expect(of(opened, onConversation(resolved, reopened))).to.include({ status: 'open', updated_at: at(2) });
  });
});

describe('messages', () => {
  const of = (...events: readonly DomainEvent[]) => documents(messages, onMessage(...events))[ids.message];
  const wamid = message.accepted.data.provider_message_id;

  it('show what became of their file, and nothing of it once they are deleted', () => {
    const { receivedImage, receivedAudio, mediaStored, audioStored, mediaFailed, transcribed, deleted } =
      message;
    const pending = { status: 'pending', size: null, error: null };
    expect(of(receivedImage)).to.deep.include({ media: pending, transcript: null });
    const stored = { status: 'stored', size: 20_481, error: null };
    expect(of(receivedImage, mediaStored)).to.deep.include({ media: stored });
    const { code, message: why } = mediaFailed.data;
    const failed = { status: 'failed', size: null, error: { code, message: why } };
    expect(of(receivedImage, mediaFailed)).to.deep.include({ media: failed });
    expect(of(receivedImage, mediaFailed, mediaStored)).to.deep.include({ media: stored });
    const heard = [receivedAudio, audioStored, transcribed];
    expect(of(...heard)).to.include({ transcript: 'Oi, o pedido já saiu?' });
    expect(of(...heard, deleted)).to.deep.include({ media: null, transcript: null });
  });

  it('show no file and no words of a person who was erased', () => {
    const { receivedAudio, audioStored, transcribed } = message;
    const erased = [
      withData(receivedAudio, { content: null, referral: null }),
      withData(audioStored, { sha256: null }),
      withData(transcribed, { transcript: null }),
    ];
    expect(of(...erased)).to.deep.include({ content: {}, media: null, transcript: null });
  });

  it('outbound', () => {
    expect(of(message.queued)).to.deep.equal({
      uuid: ids.message,
      company_uuid: ids.company,
      channel_uuid: ids.channel,
      conversation_uuid: ids.conversation,
      contact_uuid: ids.contact,
      operation_uuid: ids.operation,
      direction: 'outbound',
      type: 'text',
      status: 'queued',
      content: { text: 'Seu pão está no forno.' },
      text: 'Seu pão está no forno.',
      metadata: { order_id: '881' },
      provider_message_id: null,
      context: null,
      referral: null,
      pricing: null,
      error: null,
      media: null,
      transcript: null,
      edited_at: null,
      deleted_at: null,
      deleted_by: null,
      sent_at: null,
      ordered_at: at(0),
      position: '000000000001',
      created_at: at(0),
      updated_at: at(0),
    });
  });

  it("have WhatsApp's time where WhatsApp brought them", () => {
    const { queued, received, echoed, imported, noticed, noted, ordered } = message;
    for (const event of [received, echoed, imported]) {
      expect(of(event), event.type).to.include({ sent_at: event.data.sent_at });
    }
    expect(of(noticed)).to.include({ sent_at: noticed.data.at });
    for (const event of [queued, noted, ordered]) expect(of(event), event.type).to.include({ sent_at: null });
  });

  it("stand at the end of WhatsApp's second, and where they were recorded within it", () => {
    const sentAt = (sent_at: string) => ({
      ...message.received,
      data: { ...message.received.data, sent_at },
    });
    expect(of(sentAt('2026-03-02T09:30:07.000Z'))).to.include({ ordered_at: '2026-03-02T09:30:07.999Z' });
    expect(of(sentAt(at(0)))).to.include({ ordered_at: at(0) });
    expect(of(message.imported)).to.include({ ordered_at: '2025-12-20T09:00:00.999Z' });
    expect(of(message.noted)).to.include({ ordered_at: at(0) });
  });

  it('never stand before the message they are known to answer', () => {
    const answering = (answered_at: string) => ({
      ...message.received,
      data: {
        ...message.received.data,
        sent_at: '2026-03-02T09:30:07.000Z',
        context: { id: 'wamid.1', answered_at },
      },
    });
    expect(of(answering('2026-03-02T09:30:09.123Z'))).to.include({ ordered_at: '2026-03-02T09:30:09.123Z' });
    expect(of(answering('2026-03-02T09:30:01.000Z'))).to.include({ ordered_at: '2026-03-02T09:30:07.999Z' });
  });

  it('inbound', () => {
    expect(of(message.received)).to.deep.include({
      direction: 'inbound',
      status: 'received',
      operation_uuid: null,
      text: null,
      content: { text: 'Ainda tem sonho?' },
      provider_message_id: message.received.data.provider_message_id,
    });
  });

  it('with erased content show it empty', () => {
    const erased = withData(message.queued, { content: null, text: null });
    expect(of(erased)).to.deep.include({ content: {}, text: null });
  });

  it('written in the Business app are outbound and sent', () => {
    expect(of(message.echoed)).to.include({
      direction: 'outbound',
      status: 'sent',
      operation_uuid: null,
      provider_message_id: message.echoed.data.provider_message_id,
    });
    expect(of(message.echoed, message.read)).to.include({ status: 'read' });
  });

  it('of a history stand where they were said', () => {
    expect(of(message.imported)).to.include({
      direction: 'inbound',
      status: 'received',
      created_at: message.imported.data.sent_at,
      updated_at: at(0),
    });
    expect(of(message.placeholderImported, message.mediaImported)).to.deep.include({
      direction: 'outbound',
      status: 'read',
      type: 'image',
      content: message.mediaImported.data.content,
    });
  });

  it('edited show the new words, and of media what was known besides', () => {
    expect(of(message.received, message.edited)).to.deep.include({
      content: { text: 'Ainda tem sonho de creme?' },
      edited_at: message.edited.data.at,
      deleted_at: null,
    });
    const image = withData(message.received, { type: 'image', content: { media_id: '1', caption: 'a' } });
    const caption = withData(message.edited, { content: { caption: 'b' } });
    expect(of(image, caption)?.content).to.deep.equal({ media_id: '1', caption: 'b' });
  });

  it('deleted are empty apart from saying so (spec §2)', () => {
    expect(of(message.received, message.edited, message.deleted)).to.deep.include({
      content: { deleted: true },
      text: null,
      deleted_at: message.deleted.data.at,
      deleted_by: 'contact',
      edited_at: message.edited.data.at,
    });
  });

  it('from neither party hold only their kind (spec §2, system_notice)', () => {
    expect(of(message.noticed)).to.deep.include({
      type: 'system_notice',
      content: { kind: 'message_edited' },
      direction: 'inbound',
      status: 'received',
    });
  });

  it('keep the first price', () => {
    const { pricing } = message.delivered.data;
    expect(of(message.queued, message.accepted, message.delivered, message.read)).to.deep.include({
      pricing,
    });
  });

  const { queued, accepted, held, refused, sent, delivered, read, failed } = message;
  const refusedFor = {
    code: 'recipient_unreachable',
    message: 'The recipient cannot be reached on WhatsApp.',
    provider: refused.data.provider_error,
  };
  const [reason] = failed.data.errors;
  const failedFor = { code: 'recipient_marketing_limit_reached', message: reason!.title, provider: reason };
  const table: readonly (readonly [string, readonly DomainEvent[], object])[] = [
    ['accepted', [queued, accepted], { status: 'sent', provider_message_id: wamid, error: null }],
    ['held', [queued, held], { status: 'queued', provider_message_id: wamid }],
    ['held, then let go', [queued, held, sent], { status: 'sent' }],
    [
      'status before the answer',
      [queued, delivered, accepted],
      { status: 'delivered', provider_message_id: wamid },
    ],
    ['read', [queued, accepted, delivered, read], { status: 'read', updated_at: at(3) }],
    ['sent behind read', [queued, accepted, read, sent], { status: 'read' }],
    ['refused', [queued, refused], { status: 'failed', error: refusedFor, provider_message_id: null }],
    ['failed', [queued, accepted, failed], { status: 'failed', error: failedFor }],
    [
      'failed, then delivered: the reason stays',
      [queued, accepted, failed, delivered],
      { status: 'delivered', error: failedFor },
    ],
    [
      'failed behind delivered: the reason is kept',
      [queued, accepted, delivered, failed],
      { status: 'delivered', error: failedFor },
    ],
    [
      'failed by a status, then refused by the answer: the first reason stays',
      [queued, failed, refused],
      { status: 'failed', error: failedFor },
    ],
    [
      'refused, then failed: the first reason stays',
      [queued, refused, failed],
      { status: 'failed', error: refusedFor },
    ],
  ];
  for (const [name, events, expected] of table) {
    it(`outbound, ${name}`, () => {
      expect(of(...events)).to.deep.include(expected);
    });
  }
});

describe('operations', () => {
  const of = (...events: readonly DomainEvent[]) =>
    documents(operations, onOperation(...events))[ids.operation];
  const { accepted, deferred, attempted, postponed, outcomeUnknown, succeeded, failed } = operation;
  const { execution_uuid: _none, ...failure } = failed.data;
  const started = {
    contact_uuid: ids.contact,
    conversation_uuid: ids.conversation,
    message_uuid: ids.message,
  };

  const table: readonly (readonly [string, readonly DomainEvent[], object])[] = [
    [
      'queued',
      [accepted],
      {
        status: 'queued',
        type: 'message.send',
        attempts: 0,
        created_at: at(0),
        started_at: null,
        completed_at: null,
      },
    ],
    [
      'paced',
      [accepted, deferred],
      { status: 'waiting', waiting: { reason: 'channel_pace', until: deferred.data.until } },
    ],
    [
      'being sent',
      [accepted, deferred, attempted],
      { status: 'processing', waiting: null, attempts: 1, started_at: at(2), ...started },
    ],
    [
      'postponed',
      [accepted, attempted, postponed],
      {
        status: 'waiting',
        waiting: { reason: 'throughput_reached', until: postponed.data.retry_at },
        attempts: 1,
      },
    ],
    [
      'being sent again: it started when it first did',
      [accepted, attempted, postponed, withData(attempted, { attempt: 2 })],
      { status: 'processing', waiting: null, attempts: 2, started_at: at(1) },
    ],
    [
      'of unknown outcome: shows as processing',
      [accepted, attempted, outcomeUnknown],
      { status: 'processing', result: null, error: null, completed_at: null },
    ],
    [
      'succeeded (spec §2)',
      [accepted, attempted, succeeded],
      {
        status: 'succeeded',
        result: { ...started, status: 'sent', text: accepted.data.text },
        error: null,
        completed_at: at(2),
      },
    ],
    [
      'failed',
      [accepted, deferred, failed],
      { status: 'failed', waiting: null, result: null, error: failure, completed_at: at(2) },
    ],
  ];
  for (const [name, events, expected] of table) {
    it(name, () => {
      expect(of(...events)).to.deep.include(expected);
    });
  }
});

describe('channel pacing', () => {
  it('moves the channel on by one interval per attempt, and never lets unused time pile up', () => {
    const fast = (interval: number): DomainEvent =>
      withData(operation.attempted, { channel_interval_ms: interval });
    const second = Date.parse(at(1)) - Date.parse(at(0));
    expect(documents(channelPacing, onOperation(fast(2.5 * second), fast(second), fast(100)))).to.deep.equal({
      [ids.channel]: {
        last_at: Date.parse(at(2)),
        channel_tat: Date.parse(at(0)) + 3.5 * second + 100,
        interval_ms: 100,
      },
    });
    expect(documents(channelPacing, onOperation(fast(10), fast(10)))).to.deep.equal({
      [ids.channel]: { last_at: Date.parse(at(1)), channel_tat: Date.parse(at(1)) + 10, interval_ms: 10 },
    });
  });
});

describe('parked updates', () => {
  it('are kept one by one, under the id of their event', () => {
    const stream = `intake-${ids.test}`;
    const second = withData(intake.parked, { index: 1 });
    const shown = documents(parkedUpdates, [
      [stream, intake.received],
      [stream, intake.parked],
      [stream, second],
    ]);
    expect(
      Object.values(shown)
        .map((doc) => doc.index)
        .sort(),
    ).to.deep.equal([0, 1]);
    expect(shown[deriveId('history', 1)]).to.deep.equal({
      id: deriveId('history', 1),
      webhook_uuid: ids.test,
      index: 0,
      kind: 'message',
      reason: 'no channel has this phone number id',
      parked_at: at(1),
      shelf: 'all',
    });
  });
});
