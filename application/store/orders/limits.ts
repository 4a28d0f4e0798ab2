/**
 * Limits of a store on orders of visitors, so that no visitor withholds its goods from the others. Orders that the shop
 * enters are neither limited nor counted.
 */
import type { LRUCache } from 'lru-cache';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import { isOfVisitor, isUnpaid } from '../../../domain/order/state.js';
import { parsePhone } from '../../../domain/policies/phone.js';
import { createCache } from '../../../ports/cache.js';
import { orders } from '../../../read-models/orders.js';
import type { App } from '../../app.js';
import { serialize } from '../../serialize.js';
import { contactUuidOf } from '../../people/resolve-contact.js';
import { primaryContactOf, type PrimaryContact } from '../../people/primary-contact.js';
import { allDocuments } from '../../provisioning/documents.js';
import type { OpenStore } from '../gate.js';
import type { OrderInput, PlacedOrder } from './input.js';

/** @throws Refusal unit_limit_exceeded */
export function checkUnits({ state }: OpenStore, { source, lines }: OrderInput): void {
  const max = state.maxProductUnitsPerOrder;
  if (max === null || !isOfVisitor(source)) return;
  const units = new Map<string, number>();
  for (const { productUuid, quantity } of lines) {
    units.set(productUuid, (units.get(productUuid) ?? 0) + quantity);
  }
  const items = [...units]
    .filter(([, requested]) => requested > max)
    .map(([product_uuid, requested]) => ({ product_uuid, requested }));
  if (items.length === 0) return;
  throw new Refusal(
    'unit_limit_exceeded',
    `An order at this store has at most ${max} units of one product. Order fewer.`,
    { max, items },
  );
}

const REMEMBERED_CONTACTS = 10_000;

/** Orders that this process placed, by contact: read models may lag. */
const placedHere = new WeakMap<object, LRUCache<string, readonly string[]>>();

/**
 * Serialises the orders of one contact within a process. Each process counts the orders in the read model and those it
 * placed itself. So the limit can only be exceeded by orders of other processes that the read model does not show yet.
 * @throws Refusal unpaid_order_limit_reached, validation_failed
 */
export async function withinUnpaidLimit(
  app: Pick<App, 'executor' | 'indexSecret' | 'readModels'>,
  store: OpenStore,
  input: OrderInput,
  place: () => Promise<PlacedOrder>,
): Promise<PlacedOrder> {
  const max = store.state.maxUnpaidOrdersPerContact;
  if (max === null || !isOfVisitor(input.source)) return place();
  const buyer = await primaryContactOf(app, await buyerOf(app, store, input));
  return serialize(app.executor, `unpaid-orders:${buyer.uuid}`, async () => {
    const unpaid = await unpaidOrders(app, buyer, max);
    if (unpaid.length >= max) {
      throw new Refusal(
        'unpaid_order_limit_reached',
        `This contact has as many unpaid orders as the store allows (${max}). Pay or cancel one first.`,
        { max },
      );
    }
    const placed = await place();
    placedBy(app).set(buyer.uuid, [...unpaid, placed.uuid]);
    return placed;
  });
}

async function buyerOf(
  app: Pick<App, 'executor' | 'indexSecret'>,
  { state }: OpenStore,
  { buyer, customer }: OrderInput,
): Promise<string> {
  if (buyer) return buyer.contactUuid;
  return contactUuidOf(app, state.companyUuid, parsePhone(customer.phone ?? '', 'customer.phone').key);
}

/**
 * At most `max`. An order that the read model shows as paid or cancelled is not counted; the others are checked in
 * their streams.
 */
async function unpaidOrders(
  app: Pick<App, 'executor' | 'readModels'>,
  buyer: PrimaryContact,
  max: number,
): Promise<readonly string[]> {
  const candidates = new Set(placedBy(app).get(buyer.uuid));
  for (const contactUuid of [buyer.uuid, ...buyer.contact.absorbed]) {
    const found = allDocuments(app, orders.name, 'by_contact', [contactUuid]);
    for await (const { id, doc } of found) if (isUnpaid(doc.status)) candidates.add(id);
  }
  const unpaid: string[] = [];
  for (const uuid of candidates) {
    if (unpaid.length >= max) break;
    const { state } = await app.executor.load(orderAggregate, uuid);
    if (state.placed !== null && isOfVisitor(state.placed.source) && isUnpaid(state.status))
      unpaid.push(uuid);
  }
  return unpaid;
}

function placedBy(app: Pick<App, 'executor'>): LRUCache<string, readonly string[]> {
  let placed = placedHere.get(app.executor);
  if (!placed) placedHere.set(app.executor, (placed = createCache(REMEMBERED_CONTACTS)));
  return placed;
}
