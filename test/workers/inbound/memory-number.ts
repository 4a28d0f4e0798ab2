/** A company with one number, over stores in memory; tests apply WhatsApp's updates to it. */
import { directCommand, SYSTEM_COMPANY } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { connectChannel } from '../../../application/provisioning/channels.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { inboundMessageId, messageAggregate, outboundMessageId } from '../../../domain/message/decide.js';
import { messageStream } from '../../../domain/streams.js';
import { messageEventExamples } from '../../support/examples/message.js';
import type { StoredRecord } from '../../../ports/event-store.js';
import type { ProviderUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../../../workers/inbound/applied.js';
import { applyUpdate } from '../../../workers/inbound/apply.js';
import { memoryApp } from '../../support/memory/app.js';

export const NUMBER = '106540352242922';
export const WABA = '102290129340398';
const ADMIN = { actor: 'admin' };

export interface Seen {
  readonly type: string;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: StoredRecord['meta'];
}

/** An update; fields that are left out have the values of most updates. */
export type Told = { readonly kind: ProviderUpdate['kind'] } & Readonly<Record<string, unknown>>;

const SOMEBODY = { from: '5511987650001', fromUserId: null, profileName: null };
const DEFAULTS: Readonly<Partial<Record<ProviderUpdate['kind'], object>>> = {
  message: {
    ...SOMEBODY,
    messageId: 'wamid.1',
    type: 'text',
    content: { text: 'Oi' },
    context: null,
    referral: null,
    errors: [],
    raw: {},
  },
  echo: {
    to: '5511987650001',
    toUserId: null,
    messageId: 'wamid.echo.1',
    type: 'text',
    content: { text: 'Olá' },
    context: null,
    raw: {},
  },
  status: {
    messageId: 'wamid.out.1',
    status: 'delivered',
    opaque: null,
    recipientId: '5511987650001',
    recipientUserId: null,
    errors: [],
    pricing: null,
  },
  edit: {
    ...SOMEBODY,
    messageId: 'wamid.edit.1',
    originalMessageId: 'wamid.1',
    by: 'contact',
    contact: { waId: '5511987650001', userId: null },
    type: 'text',
    content: { text: 'Oi, tudo bem?' },
  },
  revoke: { ...SOMEBODY, messageId: 'wamid.revoke.1', originalMessageId: 'wamid.1', by: 'contact' },
  identity: {
    messageId: 'wamid.identity.1',
    previousWaId: '5511987650001',
    previousUserId: null,
    waId: null,
    userId: null,
  },
  notice: { ...SOMEBODY, messageId: 'wamid.notice.1', notice: 'message_edited' },
  history: { waId: '5511987650001', userId: null, messages: [] },
  preference: { waId: '5511987650001', userId: null, category: 'marketing_messages', value: 'stop' },
  address_book: { action: 'add', waId: '5511987650001', name: 'Ana' },
  template: {
    templateId: null,
    name: 'pedido_saiu',
    language: 'pt_BR',
    event: null,
    reason: null,
    quality: null,
    category: null,
    componentsChanged: false,
  },
  number: { about: 'quality', phone: '551140028922', event: 'FLAGGED' },
  account: {
    about: 'update',
    event: 'ACCOUNT_RESTRICTION',
    summary: 'restricted',
    banState: null,
    restrictions: [],
  },
};

export async function memoryNumber() {
  const world = memoryApp();
  const { app, clock, records } = world;
  let companies = 0;

  async function connect(phoneNumberId: string, wabaId: string, companyUuid?: string): Promise<string> {
    const company =
      companyUuid ?? (await registerCompany(app, { name: `Loja ${(companies += 1)}` }, ADMIN)).companyUuid;
    const number = { companyUuid: company, phoneNumberId, wabaId, accessToken: 'token' };
    const { channelUuid } = await connectChannel(app, number, ADMIN);
    await world.show('channels');
    return channelUuid;
  }
  const { companyUuid: company } = await registerCompany(app, { name: 'Loja Aurora' }, ADMIN);
  const channel = await connect(NUMBER, WABA, company);

  const context = (commandId: string): CommandContext => ({
    company: SYSTEM_COMPANY,
    actor: 'provider',
    commandId,
    correlationId: `trace of ${commandId}`,
    causationId: commandId,
    subject: null,
  });

  async function eventsFrom(index: number): Promise<readonly Seen[]> {
    const decoded = await app.codec.decodeAll(records.slice(index));
    return decoded.map(({ event, record: { stream, meta } }) => ({
      type: event.type,
      stream,
      data: event.data,
      meta,
    }));
  }

  /** A text that the API sent, known to WhatsApp by this id; returns its uuid. */
  async function sent(providerMessageId: string, place: ReturnType<typeof placeOf>): Promise<string> {
    const operation = app.newId();
    const uuid = outboundMessageId(operation);
    const by = () => directCommand(app, { company, actor: 'test' }, 'somebody');
    const queued = { ...messageEventExamples.queued.data, ...place, operation_uuid: operation };
    await app.executor.execute(messageAggregate, uuid, { type: 'QueueMessage', data: queued }, by());
    const data = { provider_message_id: providerMessageId, held: false };
    await app.executor.execute(messageAggregate, uuid, { type: 'AcceptMessage', data }, by());
    await world.show('messages');
    return uuid;
  }

  let webhooks = 0;
  /** The time of an update that has none of its own: a second ago. */
  const at = (): string => new Date(clock.now() - 1_000).toISOString();

  return {
    ...world,
    company,
    channel,
    connect,
    at,
    sent,
    /** The stream of a message that the API did not send. */
    streamOf: (providerMessageId: string): string =>
      messageStream.toName(inboundMessageId(channel, providerMessageId)),
    /** Everything recorded since the beginning. */
    events: () => eventsFrom(0),
    /** Applies one update, in a webhook of its own; returns its outcome and the recorded events. */
    async told(update: Told): Promise<{ readonly applied: Applied; readonly events: readonly Seen[] }> {
      const before = records.length;
      webhooks += 1;
      const whole = { wabaId: WABA, phoneNumberId: NUMBER, at: at(), ...DEFAULTS[update.kind], ...update };
      const applied = await applyUpdate(app, whole as unknown as ProviderUpdate, context(`w${webhooks}`));
      return { applied, events: await eventsFrom(before) };
    },
  };
}

export const typesOf = (events: readonly Seen[]): readonly string[] => events.map(({ type }) => type);

/** The one event of a type; throws unless there is exactly one. */
export function only(events: readonly Seen[], type: string): Seen {
  const found = events.filter((event) => event.type === type);
  if (found.length !== 1)
    throw new Error(`there are ${found.length} ${type} among ${typesOf(events).join()}`);
  return found[0]!;
}

/** The company, channel, conversation and contact of a message. */
export const placeOf = ({ data }: Seen) => ({
  company_uuid: String(data['company_uuid']),
  channel_uuid: String(data['channel_uuid']),
  conversation_uuid: String(data['conversation_uuid']),
  contact_uuid: String(data['contact_uuid']),
});
