/** What an order is made of, whoever places it. */
import type { Order } from '../../../domain/order/state.js';

export interface OrderLine {
  readonly productUuid: string;
  /** Null: the product has no variants. */
  readonly variantUuid: string | null;
  /** 1 to 1,000,000 */
  readonly quantity: number;
  readonly note?: string | null;
}

export interface OrderCustomer {
  readonly name: string | null;
  /** International form. Null only where the contact is known already. */
  readonly phone: string | null;
  readonly email: string | null;
  readonly document: string | null;
}

export interface OrderAddress {
  readonly zipcode: string | null;
  readonly street: string | null;
  readonly number: string | null;
  readonly complement: string | null;
  readonly district: string | null;
  readonly city: string | null;
  readonly state: string | null;
}

export type OrderSource = 'storefront' | 'whatsapp_cart' | 'dashboard' | 'api';
export type Fulfillment = 'delivery' | 'pickup';

export interface OrderInput {
  /** Names the order: placing it again answers the one that was placed. */
  readonly orderUuid: string;
  readonly source: OrderSource;
  readonly lines: readonly OrderLine[];
  readonly customer: OrderCustomer;
  readonly fulfillment: Fulfillment;
  /** Null where it is picked up, and where it is not known yet (a WhatsApp cart). */
  readonly address: OrderAddress | null;
  readonly payment: { readonly method: string | null; readonly link?: string | null };
  readonly note: string | null;
  readonly tracking: Readonly<Record<string, string>>;
  /** What the buyer was shown, in cents; anything else is refused. */
  readonly expectedTotalCents?: number;
  /** The message that the cart came in. */
  readonly messageUuid?: string;
  /** Whom the cart came from, where it was in a conversation. */
  readonly buyer?: Buyer;
}

export interface Buyer {
  readonly contactUuid: string;
  /** Key that seals what is personal. */
  readonly subject: string;
  readonly conversationUuid: string | null;
}

export interface PlacedOrder {
  /** Usually the uuid that was asked for; another one where an attempt under that one was given up. */
  readonly uuid: string;
  readonly order: Order;
}
