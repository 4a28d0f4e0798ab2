/** The input of an order, from any source. */
import type { ContactUuid, ConversationUuid } from '../../../domain/kernel/ids.js';
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
  /** International format. Null only where the contact is already known. */
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
  /** Identifies the order: placing it again returns the existing one. */
  readonly orderUuid: string;
  readonly source: OrderSource;
  readonly lines: readonly OrderLine[];
  readonly customer: OrderCustomer;
  readonly fulfillment: Fulfillment;
  /** Null for a pickup, and where it is unknown (a WhatsApp cart). */
  readonly address: OrderAddress | null;
  readonly payment: { readonly method: string | null; readonly link?: string | null };
  readonly note: string | null;
  readonly tracking: Readonly<Record<string, string>>;
  /** The total that the buyer saw, in cents; any other total is refused. */
  readonly expectedTotalCents?: number;
  /** The message that contained the cart. */
  readonly messageUuid?: string;
  /** The sender of the cart, where it came from a conversation. */
  readonly buyer?: Buyer;
}

export interface Buyer {
  readonly contactUuid: ContactUuid;
  /** Sealing subject of the personal fields. */
  readonly subject: string;
  readonly conversationUuid: ConversationUuid | null;
}

export interface PlacedOrder {
  /** Usually the requested uuid; another one where an attempt under it was given up. */
  readonly uuid: string;
  readonly order: Order;
}
