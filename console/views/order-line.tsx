import type { Order } from '../shapes.js';
import { named, t } from '../words.js';

const AT_A_GLANCE = 3;

/** Such as `2× Camiseta, 1× Caneca and 1 more`. */
export function glance({ items }: Order): string {
  const shown = items.slice(0, AT_A_GLANCE).map(({ quantity, name }) => `${quantity}× ${name}`);
  const rest = items.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` ${t('orders.more', { count: rest })}` : '');
}

export const buyer = ({ customer }: Order): string => customer.name ?? customer.phone ?? t('orders.unknown');

export const paymentOf = ({ payment }: Order): string => named('payment', payment.method ?? 'none');

export const fulfillmentOf = ({ fulfillment }: Order): string =>
  t(fulfillment.type === 'delivery' ? 'orders.delivery' : 'orders.pickup');

/** The lines of the address, or the place of pick-up. */
export function placeLines({
  fulfillment: { address, pickup_location: location },
}: Order): readonly string[] {
  const lines =
    address === null
      ? [location]
      : [
          [address.street, address.number, address.complement].filter(Boolean).join(', '),
          [address.district, address.city, address.state].filter(Boolean).join(', '),
          address.zipcode,
        ];
  return lines.filter((line): line is string => Boolean(line));
}
