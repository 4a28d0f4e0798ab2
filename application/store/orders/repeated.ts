/** Detects an order uuid that is reused by mistake for a different order, rather than to repeat the same one. */
import { Refusal } from '../../../domain/kernel/refusal.js';
import { parsePhone } from '../../../domain/policies/phone.js';
import type { OrderInput, PlacedOrder } from './input.js';

type Placed = NonNullable<PlacedOrder['order']['placed']>;

/** @throws Refusal order_uuid_reused, validation_failed */
export function assertSameOrder({ uuid, order }: PlacedOrder, input: OrderInput): void {
  const { placed } = order;
  if (placed === null) return;
  const differs = [
    ...(unitsWanted(input) === unitsPlaced(placed) ? [] : ['items']),
    ...(placed.fulfillment === input.fulfillment ? [] : ['fulfillment']),
    ...(samePayment(placed, input) ? [] : ['payment']),
    // A phone that was erased with the person cannot be compared.
    ...(samePhone(placed, input) ? [] : ['customer']),
  ];
  if (differs.length === 0) return;
  throw new Refusal(
    'order_uuid_reused',
    `The order ${uuid} exists and differs in: ${differs.join(', ')}. Send a new order with a uuid of its own.`,
    { order_uuid: uuid, differs },
  );
}

/** A method that is left out matches: a manual retry need not repeat it. */
const samePayment = ({ payment_method }: Placed, { payment }: OrderInput): boolean =>
  payment.method === null || payment.method === payment_method;

function samePhone({ customer }: Placed, input: OrderInput): boolean {
  const phone = customer?.['phone'];
  return typeof phone !== 'string' || keyOf(phone) === keyOf(input.customer.phone ?? '');
}

const keyOf = (phone: string): string => parsePhone(phone, 'customer.phone').key;

const unitsWanted = ({ lines }: OrderInput): string =>
  unitsOf(lines.map(({ productUuid, variantUuid, quantity }) => [productUuid, variantUuid, quantity]));

const unitsPlaced = ({ items }: Placed): string =>
  unitsOf(items.map(({ product_uuid, variant_uuid, quantity }) => [product_uuid, variant_uuid, quantity]));

/** Independent of the order of the lines. */
const unitsOf = (lines: readonly (readonly [string, string | null, number])[]): string =>
  lines
    .map((line) => JSON.stringify(line))
    .sort()
    .join();
