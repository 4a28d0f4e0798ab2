/** A company as callers of the API see it: keys, a connected channel, templates, a contact with a conversation. */
import { issueApiKey } from '../../../application/provisioning/api-keys.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { registerIntegration } from '../../../application/provisioning/integrations.js';
import { SCOPES } from '../../../application/provisioning/vocabulary.js';
import { admitToConversation } from '../../../application/people/admit-to-conversation.js';
import { resolveContact, type ResolvedContact } from '../../../application/people/resolve-contact.js';
import { directCommand, type App } from '../../../application/app.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { inboundMessageId, messageAggregate } from '../../../domain/message/decide.js';
import type { MessageEvent } from '../../../domain/message/events.js';
import { templateAggregate } from '../../../domain/template/decide.js';

const ADMIN = { actor: 'admin' };

export interface World {
  readonly company: string;
  readonly integration: string;
  /** A key that has every scope. */
  readonly key: string;
  readonly keyId: string;
  readonly channel: string;
}

export async function makeWorld(app: App, name = 'Loja Aurora'): Promise<World> {
  const { companyUuid } = await registerCompany(app, { name }, ADMIN);
  const { integrationUuid } = await registerIntegration(app, { companyUuid, name: 'ERP' }, ADMIN);
  const { apiKey, keyId } = await issueKey(app, integrationUuid, [...SCOPES]);
  const channel = await addChannel(app, companyUuid, 'waba-1');
  return { company: companyUuid, integration: integrationUuid, key: apiKey, keyId, channel };
}

export const issueKey = (app: App, integrationUuid: string, scopes: readonly string[]) =>
  issueApiKey(app, { integrationUuid, label: 'test', scopes }, ADMIN);

export async function addIntegration(app: App, world: World): Promise<{ integration: string; key: string }> {
  const { integrationUuid } = await registerIntegration(
    app,
    { companyUuid: world.company, name: 'Site' },
    ADMIN,
  );
  const { apiKey } = await issueKey(app, integrationUuid, [...SCOPES]);
  return { integration: integrationUuid, key: apiKey };
}

export async function addChannel(
  app: App,
  companyUuid: string,
  wabaId: string,
  { token = 'token', phoneNumberId }: { readonly token?: string; readonly phoneNumberId?: string } = {},
): Promise<string> {
  const channel = app.newId();
  await app.executor.execute(
    channelAggregate,
    channel,
    {
      type: 'ConnectChannel',
      companyUuid,
      phoneNumberId: phoneNumberId ?? channel,
      wabaId,
      displayName: 'Loja',
      phoneNumber: '+551140028922',
      accessTokenSealed: app.secrets.seal(token, 'channel-token'),
    },
    directCommand(app, { company: companyUuid, actor: 'admin' }),
  );
  return channel;
}

export async function disconnectChannel(app: App, world: World, channel: string): Promise<void> {
  await app.executor.execute(
    channelAggregate,
    channel,
    { type: 'DisconnectChannel', reason: 'operator' },
    directCommand(app, { company: world.company, actor: 'admin' }),
  );
}

/** Records a restriction of the account, as WhatsApp reports it by the webhook `account_update`. */
export async function restrictAccount(
  app: App,
  world: World,
  type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' | 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
  expiresAt: string | null,
): Promise<void> {
  await app.executor.execute(
    channelAggregate,
    world.channel,
    {
      type: 'ReportAccount',
      event: 'ACCOUNT_RESTRICTION',
      banState: null,
      restrictions: [{ type, expires_at: expiresAt }],
      at: null,
    },
    directCommand(app, { company: world.company, actor: 'provider' }),
  );
}

export interface TemplateSeed {
  readonly name: string;
  readonly language?: string;
  readonly status?: string;
  readonly category?: string;
  readonly body?: string;
  readonly wabaId?: string;
}

export async function addTemplate(app: App, world: World, seed: TemplateSeed): Promise<string> {
  const uuid = app.newId();
  const { name, language = 'pt_BR', status = 'APPROVED', category = 'UTILITY' } = seed;
  await app.executor.execute(
    templateAggregate,
    uuid,
    {
      type: 'ImportTemplate',
      companyUuid: world.company,
      channelUuid: world.channel,
      wabaId: seed.wabaId ?? 'waba-1',
      name,
      language,
      definition: {
        providerTemplateId: uuid,
        status,
        category,
        parameterFormat: 'POSITIONAL',
        components: [{ type: 'BODY', text: seed.body ?? 'Olá {{1}}, seu pedido {{2}} saiu.' }],
      },
    },
    directCommand(app, { company: world.company, actor: 'admin' }),
  );
  return uuid;
}

export async function addContact(
  app: App,
  world: World,
  input: { readonly phone: string; readonly name?: string; readonly externalIds?: Record<string, string> },
): Promise<string> {
  const uuid = app.newId();
  const subject = app.newId();
  const context = () => directCommand(app, { company: world.company, actor: 'test' }, subject);
  await app.executor.execute(
    contactAggregate,
    uuid,
    {
      type: 'CreateContact',
      companyUuid: world.company,
      source: 'inbound',
      subject,
      phone: input.phone,
      phoneKey: input.phone.slice(1),
      waUserId: null,
      name: input.name ?? null,
    },
    context(),
  );
  for (const [integrationUuid, externalId] of Object.entries(input.externalIds ?? {})) {
    const link = { type: 'LinkContact', integrationUuid, externalId } as const;
    await app.executor.execute(contactAggregate, uuid, link, context());
  }
  return uuid;
}

export async function addConversation(app: App, world: World, contact: string, ordinal = 0): Promise<string> {
  const uuid = conversationId(contact, world.channel, ordinal);
  await app.executor.execute(
    conversationAggregate,
    uuid,
    {
      type: 'AdmitMessage',
      by: 'inbound',
      companyUuid: world.company,
      channelUuid: world.channel,
      contactUuid: contact,
      ordinal,
    },
    directCommand(app, { company: world.company, actor: 'test' }),
  );
  return uuid;
}

export async function resolveConversation(app: App, world: World, conversation: string): Promise<void> {
  await app.executor.execute(
    conversationAggregate,
    conversation,
    { type: 'ResolveConversation' },
    directCommand(app, { company: world.company, actor: 'test' }),
  );
}

/** A company's channel, to which customers write. */
export type Place = Pick<World, 'company' | 'channel'>;

/** A customer with an existing conversation. */
export interface Customer {
  readonly contact: string;
  /** The open conversation. */
  readonly conversation: string;
  readonly subject: string;
  readonly resolved: ResolvedContact;
}

export async function addCustomer(
  app: App,
  { company, channel }: Place,
  { phone, name = null }: { readonly phone: string; readonly name?: string | null },
): Promise<Customer> {
  const context = directCommand(app, { company, actor: 'test' });
  const person = { phone, phoneKey: phone.slice(1), waUserId: null, name };
  const resolved = await resolveContact(app, company, person, 'inbound', context);
  const { uuid: contact, subject } = resolved;
  const thread = { companyUuid: company, channelUuid: channel, contactUuid: contact, absorbed: [] };
  const conversation = await admitToConversation(app, thread, 'inbound', context);
  return { contact, conversation, subject, resolved };
}

type Received = Extract<MessageEvent, { type: 'MessageReceived' }>['data'];

/** Stores a message from a customer: a text, unless `said` gives other content. Returns the message's uuid. */
export async function addInboundMessage(
  app: App,
  place: Place,
  from: Pick<Customer, 'contact' | 'conversation'> & { readonly subject?: string },
  said: string | Partial<Received>,
): Promise<string> {
  const data: Received = {
    company_uuid: place.company,
    channel_uuid: place.channel,
    conversation_uuid: from.conversation,
    contact_uuid: from.contact,
    type: 'text',
    provider_message_id: `wamid.${app.newId()}`,
    sent_at: new Date(app.clock.now()).toISOString(),
    context: null,
    referral: null,
    ...(typeof said === 'string' ? { content: { text: said } } : { content: {}, ...said }),
  };
  const uuid = inboundMessageId(data.channel_uuid, data.provider_message_id);
  await app.executor.execute(
    messageAggregate,
    uuid,
    { type: 'ReceiveMessage', data },
    directCommand(app, { company: place.company, actor: 'provider' }, from.subject ?? app.newId()),
  );
  return uuid;
}
