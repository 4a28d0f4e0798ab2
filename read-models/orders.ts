import type { CompanyUuid, ContactUuid, ConversationUuid } from '../domain/kernel/ids.js';
import type { OrderItem } from '../domain/order/state.js';
import type { OrderStatus } from '../domain/order/status.js';
import { collection } from './collection.js';

type Personal = Readonly<Record<string, unknown>>;

export type OrderDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly store_uuid: string;
  readonly number: number;
  readonly status: OrderStatus;
  readonly source: string;
  readonly contact_uuid: ContactUuid | null;
  readonly conversation_uuid: ConversationUuid | null;
  /** Null once the buyer was erased; so are the address and the notes. */
  readonly customer: Personal | null;
  readonly items: readonly OrderItem[];
  readonly subtotal_cents: number;
  readonly discount_cents: number;
  readonly delivery_fee_cents: number;
  readonly total_cents: number;
  readonly fulfillment: 'delivery' | 'pickup';
  /** Null when the order has no address. */
  readonly address: Personal | null;
  readonly pickup_location: string | null;
  readonly payment_method: string | null;
  readonly pix: { readonly copy_paste: string; readonly txid: string } | null;
  readonly payment_link: string | null;
  readonly paid_at: string | null;
  readonly note: string | null;
  readonly item_notes: Personal | null;
  readonly tracking: Readonly<Record<string, unknown>>;
  /**
   * Until when the unpaid order holds its stock; null: no limit. Has no meaning once the order is paid or cancelled.
   */
  readonly hold_until: string | null;
  readonly cancel_reason: string | null;
  readonly stock_restored_at: string | null;
  /** Oldest first. `actor`: as recorded with the event. */
  readonly status_history: readonly {
    readonly status: OrderStatus;
    readonly at: string;
    readonly actor: string;
  }[];
  readonly created_at: string;
  readonly updated_at: string;
};

export const orders = collection<OrderDoc>()({
  name: 'orders',
  version: 2,
  indexes: {
    by_store: ['store_uuid', 'created_at', 'number'],
    by_status: ['store_uuid', 'status', 'created_at', 'number'],
    by_number: ['store_uuid', 'number'],
    by_contact: ['contact_uuid', 'created_at'],
  },
});
