/** Creates an order from a cart that a customer sent on WhatsApp, once per message, at the store's own prices. */
import { deriveId } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import type { MessageEvent } from '../../../domain/message/events.js';
import { messageStream } from '../../../domain/streams.js';
import type { OrderContent } from '../../../ports/provider-webhook.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { primaryContactForData } from '../../people/primary-contact.js';
import { storeOf, type OpenStore } from '../gate.js';
import { findItem } from './find-item.js';
import type { OrderInput, OrderLine } from './input.js';
import { placeOrder, type OrderDeps } from './place.js';

type CartMessage = Extract<MessageEvent, { type: 'MessageReceived' }>['data'];

/** Maximum age of a cart. An older one, as when a history is processed again, no longer becomes an order. */
const CART_LIVES_MS = 24 * 60 * 60_000;

/** The reason why a cart is no order, for a notice in the conversation (spec §2, system_notice). */
export const CART_PROBLEMS = [
  'cart_store_unavailable',
  'cart_product_unknown',
  'cart_product_ambiguous',
  'cart_product_unavailable',
  'cart_insufficient_stock',
  'cart_unit_limit_exceeded',
  'cart_unpaid_order_limit_reached',
  'cart_not_ordered',
] as const;
export type CartProblem = (typeof CART_PROBLEMS)[number];

const PROBLEMS: Readonly<Record<string, CartProblem>> = {
  storefront_not_allowed: 'cart_store_unavailable',
  cart_product_unknown: 'cart_product_unknown',
  cart_product_ambiguous: 'cart_product_ambiguous',
  product_unavailable: 'cart_product_unavailable',
  insufficient_stock: 'cart_insufficient_stock',
  unit_limit_exceeded: 'cart_unit_limit_exceeded',
  unpaid_order_limit_reached: 'cart_unpaid_order_limit_reached',
};

/**
 * A cart that cannot be ordered leads to one notice, and is not tried again.
 * @throws Refusal concurrent_update, and the errors of an unavailable store: the caller retries
 */
export async function orderFromCart(
  app: OrderDeps & Pick<App, 'codec'>,
  messageUuid: string,
  context: CommandContext,
): Promise<void> {
  const cart = await readCart(app, messageUuid);
  if (cart === null || app.clock.now() - Date.parse(cart.recordedAt) > CART_LIVES_MS) return;
  const { state: noticed } = await app.executor.load(messageAggregate, noticeId(messageUuid));
  if (noticed.exists) return;
  try {
    const store = await storeOf(app, cart.message.company_uuid);
    if (store.state.status !== 'active') throw notSelling();
    await placeOrder(app, store, await inputOf(app, store, messageUuid, cart), {
      ...context,
      dataFrom: Date.parse(cart.recordedAt),
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'concurrent_update') throw error;
    await recordProblem(app, messageUuid, cart, PROBLEMS[error.code] ?? 'cart_not_ordered', context);
  }
}

interface Cart {
  readonly message: CartMessage;
  readonly content: OrderContent;
  readonly recordedAt: string;
}

/** Null when the message is not a cart, or was erased or deleted. */
async function readCart(app: Pick<App, 'codec' | 'store'>, messageUuid: string): Promise<Cart | null> {
  const records = await app.store.read(messageStream.toName(messageUuid));
  const history = await app.codec.decodeAll<MessageEvent>(records);
  // Not always the first event: an edit may have been recorded before it.
  const received = history.find(({ event }) => event.type === 'MessageReceived');
  if (received?.event.type !== 'MessageReceived' || received.event.data.type !== 'order') return null;
  if (history.some(({ event }) => event.type === 'MessageDeleted')) return null;
  const { data: message } = received.event;
  if (message.content === null) return null;
  return {
    message,
    content: message.content as OrderContent,
    recordedAt: received.record.meta.occurred_at,
  };
}

async function inputOf(
  app: Pick<App, 'executor' | 'readModels'>,
  store: OpenStore,
  messageUuid: string,
  { message, content }: Cart,
): Promise<OrderInput> {
  const { uuid: contactUuid, contact, subject } = await primaryContactForData(app, message.contact_uuid);
  return {
    orderUuid: deriveId('order', messageUuid),
    source: 'whatsapp_cart',
    lines: await linesOf(app, store, content),
    customer: { name: contact.name, phone: contact.phone, email: contact.email, document: null },
    // A cart does not specify it: delivery, with its fee, unless the store offers only pickup.
    fulfillment: store.state.delivery === null && store.state.pickup !== null ? 'pickup' : 'delivery',
    address: null,
    payment: { method: null },
    note: content.text?.slice(0, MAX_NOTE) ?? null,
    tracking: {},
    messageUuid,
    buyer: { contactUuid, subject, conversationUuid: message.conversation_uuid },
  };
}

const MAX_NOTE = 1_000;

/** @throws Refusal cart_product_unknown, cart_product_ambiguous */
async function linesOf(
  app: Pick<App, 'executor' | 'readModels'>,
  store: OpenStore,
  { items }: OrderContent,
): Promise<readonly OrderLine[]> {
  const lines: OrderLine[] = [];
  for (const { product_retailer_id: code, quantity } of items) {
    const item = await findItem(app, store, code);
    if (item === null) throw new Refusal('cart_product_unknown', 'The store has no such product.');
    lines.push({ ...item, quantity });
  }
  return lines;
}

const notSelling = (): Refusal =>
  new Refusal('storefront_not_allowed', 'The store does not sell at the moment.');

const noticeId = (messageUuid: string): string => deriveId('message', 'cart-notice', messageUuid);

async function recordProblem(
  app: Pick<App, 'executor'>,
  messageUuid: string,
  { message, recordedAt }: Cart,
  kind: CartProblem,
  context: CommandContext,
): Promise<void> {
  const { company_uuid, channel_uuid, conversation_uuid, contact_uuid } = message;
  await app.executor.execute(
    messageAggregate,
    noticeId(messageUuid),
    {
      type: 'RecordNotice',
      data: {
        company_uuid,
        channel_uuid,
        conversation_uuid,
        contact_uuid,
        kind,
        // The cart's own message has this id: integrators that store messages by it must not find two.
        provider_message_id: null,
        at: recordedAt,
      },
    },
    { ...context, commandId: `${context.commandId}/cart-notice`, subject: null },
  );
}
