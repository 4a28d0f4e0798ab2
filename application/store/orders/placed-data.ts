/** Data of an order for its first event. */
import type { OrderItem, PlacedData } from '../../../domain/order/state.js';
import type { TakenLine } from '../../../domain/product/state.js';
import { variantName } from '../../../domain/product/variants.js';
import { pixCode } from '../../../domain/policies/pix.js';
import type { App } from '../../app.js';
import type { OpenStore } from '../gate.js';
import type { CheckedOrder } from './check.js';
import { holdUntil } from './hold.js';
import type { Buyer, OrderInput } from './input.js';
import type { PricedLine } from './price.js';

export interface PlacedFacts extends CheckedOrder {
  /** Units taken from stock, by product. */
  readonly taken: ReadonlyMap<string, readonly TakenLine[]>;
  readonly buyer: Buyer;
  readonly number: number;
}

export function placedData(
  app: Pick<App, 'clock' | 'newId'>,
  store: OpenStore,
  input: OrderInput,
  facts: PlacedFacts,
): PlacedData {
  const { lines, subtotalCents, deliveryFeeCents, totalCents, taken, buyer, number } = facts;
  const delivered = input.fulfillment === 'delivery';
  const items = lines.map((line) => itemOf(app, line, taken));
  return {
    company_uuid: store.state.companyUuid,
    store_uuid: store.uuid,
    number,
    source: input.source,
    contact_uuid: buyer.contactUuid,
    conversation_uuid: buyer.conversationUuid,
    customer: { ...input.customer },
    items,
    subtotal_cents: subtotalCents,
    discount_cents: 0,
    delivery_fee_cents: deliveryFeeCents,
    total_cents: totalCents,
    fulfillment: input.fulfillment,
    address: delivered && input.address !== null ? { ...input.address } : {},
    pickup_location: delivered ? null : (store.state.pickup?.location ?? null),
    payment_method: input.payment.method,
    pix: pixOf(store, input, totalCents, number),
    payment_link: input.payment.link ?? null,
    note: input.note,
    item_notes: Object.fromEntries(
      items.flatMap(({ uuid }, index) => {
        const note = lines[index]?.line.note;
        return note ? [[uuid, note]] : [];
      }),
    ),
    tracking: { ...input.tracking },
    message_uuid: input.messageUuid ?? null,
    hold_until: holdUntil(store.state, { items, totalCents, method: input.payment.method }, app.clock.now()),
  };
}

function itemOf(
  app: Pick<App, 'newId'>,
  { line, product, variant, ...price }: PricedLine,
  taken: PlacedFacts['taken'],
): OrderItem {
  const { details, images } = product;
  // Based on the units taken, not on the stock at pricing. Lines of one variant are taken together or not at all.
  const tracked =
    taken.get(line.productUuid)?.some((unit) => unit.variant_uuid === line.variantUuid && unit.taken > 0) ??
    false;
  return {
    uuid: app.newId(),
    product_uuid: line.productUuid,
    variant_uuid: line.variantUuid,
    import_handle: details.import_handle,
    sku: variant?.sku ?? details.sku,
    gtin: variant?.gtin ?? details.gtin,
    ncm: details.ncm,
    name: details.name,
    variant_name: variant === null ? null : variantName(variant),
    options: { ...variant?.options },
    quantity: line.quantity,
    list_price_cents: price.listCents,
    unit_price_cents: price.unitCents,
    total_cents: price.totalCents,
    stock_tracked: tracked,
    stock_taken: tracked ? line.quantity : 0,
    image_hash: (variant?.image ?? images[0])?.hash ?? null,
  };
}

/** The number is the txid: the bank shows it beside the payment, so that the shop can find the order. */
function pixOf(
  { state: { pix } }: OpenStore,
  { payment }: OrderInput,
  totalCents: number,
  number: number,
): PlacedData['pix'] {
  // A free order needs no charge.
  if (payment.method !== 'pix' || pix === null || totalCents === 0) return null;
  const txid = String(number);
  const { key, merchantName, merchantCity } = pix;
  return { copy_paste: pixCode({ key, merchantName, merchantCity, amountCents: totalCents, txid }), txid };
}
