/**
 * Makes the product emit an event of a type, by what causes it in earnest: a customer of the sandbox writes, a message
 * is sent, a flow is started. Nothing is made up: an event that nothing here can cause is refused.
 */
import { randomInt } from 'node:crypto';
import type { ChannelUuid, ConversationUuid, OperationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { parsePhone } from '../../domain/policies/phone.js';
import type { SandboxControl } from '../../ports/sandbox-control.js';
import { products } from '../../read-models/products.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import type { KeyedRequest } from '../accept-once.js';
import type { App } from '../app.js';
import { currentConversation } from '../conversation/current.js';
import type { CurrentConversation } from '../conversation/current-conversation.js';
import { markConversationPending, reopenConversation } from '../conversations/commands.js';
import { acceptExecution } from '../flows/accept.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { personIdentity } from '../people/subject.js';
import { invalidField } from '../provisioning/common.js';
import type { WebhookEventType } from '../provisioning/vocabulary.js';
import { testWebhookEndpoint } from '../provisioning/webhooks.js';
import { listFlows } from '../queries/flows.js';
import type { QueryDeps } from '../queries/page.js';
import { acceptSend, type MessageRequest, type AcceptDeps } from '../send/accept.js';
import { storeOf } from '../store/gate.js';
import { sandboxChannel, type SandboxChannel } from './channel.js';

export interface TriggerDeps {
  readonly app: AcceptDeps & Pick<App, 'logger' | 'personOwners'>;
  readonly queries: QueryDeps;
  /** Null where WhatsApp itself is the provider. */
  readonly control: SandboxControl | null;
  /** Whether this deployment transcribes audio messages. */
  readonly transcribes: boolean;
}

export interface TriggerRequest {
  readonly type: WebhookEventType;
  readonly channel_uuid?: ChannelUuid;
  readonly phone?: string;
  readonly text?: string;
}

export type TriggerCaller = Omit<KeyedRequest<unknown>, 'body' | 'idempotencyKey'>;

export interface Triggered {
  readonly type: WebhookEventType;
  readonly channel_uuid: ChannelUuid;
  /** The customer's; null where none takes part. */
  readonly phone: string | null;
  /** WhatsApp's id of what the customer sent. */
  readonly provider_message_id: string | null;
  /** Of the message that is sent, or of the flow. */
  readonly operation_uuid: OperationUuid | null;
  readonly conversation_uuid: ConversationUuid | null;
  /** Of the events that are known already: those of `webhook.test`, one for each endpoint. */
  readonly event_ids: readonly string[];
}

type Made = Partial<Omit<Triggered, 'type' | 'channel_uuid' | 'phone'>>;

interface Scene extends TriggerDeps {
  readonly caller: TriggerCaller;
  readonly channel: SandboxChannel;
  /** E.164 */
  readonly phone: string;
  readonly phoneKey: string;
  readonly text: string | undefined;
  /** A customer of the sandbox acts. Returns WhatsApp's id of it. */
  readonly act: (fields: Readonly<Record<string, unknown>>) => Promise<string>;
}

const CUSTOMER = '+5511987654321';
const TEXT = 'Oi! Isto é um teste.';
const TAKES_TEXT: readonly WebhookEventType[] = [
  'message.received',
  'message.status.updated',
  'message.updated',
  'message.deleted',
  'conversation.created',
];

/**
 * Returns when the cause is there; the event follows within seconds.
 * @throws Refusal not_a_sandbox_channel, channel_not_found, channel_required, trigger_not_possible, validation_failed,
 * and those of a send or of a start of a flow
 */
export async function trigger(
  deps: TriggerDeps,
  { type, channel_uuid, phone: given, text }: TriggerRequest,
  caller: TriggerCaller,
): Promise<Triggered> {
  if (text !== undefined && !TAKES_TEXT.includes(type)) throw notUsed('text', type);
  if (given !== undefined && type === 'webhook.test') throw notUsed('phone', type);
  const phone = parsePhone(given ?? (type === 'conversation.created' ? somebody() : CUSTOMER), 'phone');
  const { app, control } = deps;
  const channel = await sandboxChannel(
    app.readModels,
    control,
    caller.companyUuid,
    channel_uuid?.toLowerCase(),
  );
  const made = await CAUSES[type]({
    ...{ ...deps, caller, channel, text },
    ...{ phone: phone.e164, phoneKey: phone.key },
    act: async (fields) => {
      const play = { ...fields, from: phone.e164, phone_number_id: channel.phoneNumberId };
      const { message_id: id } = (await control?.play('message', play)) ?? {};
      return String(id);
    },
  });
  return {
    ...{ type, channel_uuid: channel.uuid, phone: type === 'webhook.test' ? null : phone.e164 },
    ...{ provider_message_id: null, operation_uuid: null, conversation_uuid: null, event_ids: [] },
    ...made,
  };
}

/** A new mobile number in São Paulo, of those that have no meaning to the sandbox. */
const somebody = (): string => `+551198${randomInt(10_000_000).toString().padStart(7, '0')}`;

const CAUSES: Readonly<Record<WebhookEventType, (scene: Scene) => Promise<Made>>> = {
  'message.received': writes,
  'conversation.created': async (scene) => {
    if ((await conversationOf(scene)) === null) return writes(scene);
    throw impossible(
      'This customer has a conversation on the channel already. Leave phone out: then somebody new writes.',
    );
  },
  'message.status.updated': sends,
  'message.transcribed': async ({ transcribes, act }) => {
    if (transcribes) return { provider_message_id: await act({ type: 'audio' }) };
    throw impossible(
      'This deployment transcribes no audio. Ask its operator to set TRANSCRIPTION_URL, or test your receiver with the example of /docs/events/message.transcribed.json.',
    );
  },
  'message.updated': async (scene) => {
    const { act, text = `${TEXT} Corrigido.` } = scene;
    const id = await act({ type: 'text', text: TEXT });
    const message = { type: 'text', text: { body: text } };
    await act(onlyToBusinessApp('edit', { original_message_id: id, message }));
    return { provider_message_id: id };
  },
  'message.deleted': async (scene) => {
    const { act, text = TEXT } = scene;
    const id = await act({ type: 'text', text });
    await act(onlyToBusinessApp('revoke', { original_message_id: id }));
    return { provider_message_id: id };
  },
  'conversation.updated': async (scene) => {
    const { app, caller } = scene;
    const found = await conversationOf(scene);
    if (found === null) {
      throw impossible(
        'This customer has no conversation on the channel. Trigger message.received first, or name a phone that has one.',
      );
    }
    const ref = { conversationUuid: found.uuid };
    const change = found.state.status === 'open' ? markConversationPending : reopenConversation;
    await change(app, ref, { actor: caller.actor, correlationId: caller.requestId });
    return { conversation_uuid: found.uuid };
  },
  'flow.execution.updated': startsFlow,
  'webhook.test': testsEndpoints,
  'order.created': orders,
};

async function writes({ act, text = TEXT }: Scene): Promise<Made> {
  return { provider_message_id: await act({ type: 'text', text }) };
}

/**
 * WhatsApp sends edits and deletions only to numbers that are shared with the Business app, so the sandbox plays the
 * customer's for those only. This is the same update, without changing the number.
 */
const onlyToBusinessApp = (type: 'edit' | 'revoke', fields: object) => ({
  type: 'raw',
  message: { type, [type]: fields },
});

const keyed = <Body>({ caller, app }: Scene, body: Body): KeyedRequest<Body> => ({
  ...caller,
  idempotencyKey: `trigger-${app.newId()}`,
  body,
});

/** A template may be sent at any time; a text only to a customer who wrote in the last 24 hours. */
const TEMPLATE = { name: 'order_confirmation', language: 'pt_BR', parameters: ['Maria', '4711'] };

async function sends(scene: Scene): Promise<Made> {
  const { app, channel, phone, text } = scene;
  const target = { channel_uuid: channel.uuid, recipient: { phone } };
  const body: MessageRequest =
    text === undefined
      ? { ...target, type: 'template', content: TEMPLATE }
      : { ...target, type: 'text', content: { text } };
  try {
    return { operation_uuid: (await acceptSend(app, keyed(scene, body))).operation.uuid };
  } catch (error) {
    const isOfTemplate = error instanceof Refusal && error.code.startsWith('template_');
    if (!isOfTemplate || text !== undefined) throw error;
    throw impossible(
      `The template ${TEMPLATE.name} (${TEMPLATE.language}) can not be sent: ${error.message} Name a text, and a phone that wrote to the channel in the last 24 hours.`,
      { cause_code: error.code },
    );
  }
}

async function startsFlow(scene: Scene): Promise<Made> {
  const { app, queries, caller, channel, phone } = scene;
  const { documents } = await listFlows(queries, caller.companyUuid, 'active', { limit: 1 });
  const [flow] = documents;
  if (!flow) {
    throw impossible('Your company has no active flow. Publish one, then trigger it again.');
  }
  const body = { channel_uuid: channel.uuid, recipient: { phone } };
  return { operation_uuid: (await acceptExecution(app, flow.uuid, keyed(scene, body))).operation.uuid };
}

const MOST_ENDPOINTS = 1_000;

async function testsEndpoints({ app, caller }: Scene): Promise<Made> {
  const { integrationUuid, actor, requestId } = caller;
  const { documents } = await app.readModels.find(webhookEndpoints.name, {
    index: 'by_integration',
    equals: [integrationUuid],
    order: 'asc',
    limit: MOST_ENDPOINTS,
  });
  const enabled = documents.filter(({ doc }) => doc.enabled);
  if (enabled.length === 0) {
    throw impossible(
      'Your integration has no enabled webhook endpoint to test. Create one with POST /webhooks, or enable one.',
    );
  }
  const event_ids: string[] = [];
  for (const { doc } of enabled) {
    const ref = { integrationUuid, endpointUuid: doc.endpoint_uuid };
    const { eventId } = await testWebhookEndpoint(app, ref, { actor, correlationId: requestId });
    event_ids.push(eventId);
  }
  return { event_ids };
}

/** How many of the newest products are searched for one that is in stock. */
const MOST_PRODUCTS = 100;

/** The customer sends a cart, which becomes an order by the way of all carts. */
async function orders({ app, caller, act }: Scene): Promise<Made> {
  const store = await storeOf(app, caller.companyUuid).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'storefront_not_allowed') throw error;
    throw impossible('Your company has no store, so it has no orders.');
  });
  if (store.state.status !== 'active') {
    throw impossible('The store does not sell at the moment. Have its operator activate it.');
  }
  const { documents } = await app.readModels.find(products.name, {
    index: 'by_state',
    equals: [store.uuid, 'active'],
    order: 'desc',
    limit: MOST_PRODUCTS,
  });
  const [item] = documents.flatMap(({ doc: { uuid, stock, variants, price_cents } }) =>
    (variants.length === 0 ? [{ uuid, stock, active: true }] : variants)
      .filter(({ active, stock: left }) => active && (left === null || left > 0))
      .map((line) => ({ product_retailer_id: line.uuid, item_price: price_cents / 100 })),
  );
  if (!item) {
    throw impossible('The store has no product that is active and in stock. Add one, then trigger it again.');
  }
  return { provider_message_id: await act({ type: 'order', items: [item] }) };
}

/** Null when the customer is unknown, or has no conversation on the channel. */
async function conversationOf({
  app,
  caller,
  channel,
  phoneKey,
}: Scene): Promise<CurrentConversation | null> {
  const identity = personIdentity(app.indexSecret, caller.companyUuid, phoneKey);
  const { owner } = (await app.executor.load(identityAggregate, identity)).state;
  if (owner === null) return null;
  const { uuid: contactUuid, contact } = await primaryContactOf(app, owner);
  return currentConversation(app, { channelUuid: channel.uuid, contactUuid, absorbed: contact.absorbed });
}

const impossible = (message: string, details: Readonly<Record<string, unknown>> = {}): Refusal =>
  new Refusal('trigger_not_possible', message, details);

const notUsed = (path: string, type: string): Refusal =>
  invalidField(path, 'not_used', `${type} takes no ${path}. Leave it out.`);
