import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { OrderCommand } from '../../../domain/order/decide.js';
import type { OrderEvent } from '../../../domain/order/events.js';
import type { PlacedData } from '../../../domain/order/state.js';

const store = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3001';
const product = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3002';
const variant = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3003';
const item = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3004';

const bought: PlacedData = {
  company_uuid: exampleIds.company,
  store_uuid: store,
  number: 1001,
  source: 'storefront',
  contact_uuid: exampleIds.contact,
  conversation_uuid: exampleIds.conversation,
  customer: { name: 'Maria Souza', phone: '+5511912345678', email: null, document: null },
  items: [
    {
      uuid: item,
      product_uuid: product,
      variant_uuid: variant,
      import_handle: 'camiseta-azul',
      sku: 'CAM-AZ-P',
      gtin: null,
      ncm: '61091000',
      name: 'Camiseta Azul',
      variant_name: 'P / Azul',
      options: { Tamanho: 'P', Cor: 'Azul' },
      quantity: 2,
      list_price_cents: 4990,
      unit_price_cents: 4490,
      total_cents: 8980,
      stock_tracked: true,
      stock_taken: 2,
      image_hash: null,
    },
  ],
  subtotal_cents: 8980,
  discount_cents: 0,
  delivery_fee_cents: 1200,
  total_cents: 10180,
  fulfillment: 'delivery',
  address: {
    zipcode: '01310100',
    street: 'Avenida Paulista',
    number: '1578-B',
    complement: null,
    district: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
  },
  pickup_location: null,
  payment_method: 'pix',
  pix: {
    copy_paste:
      '00020126360014br.gov.bcb.pix0114+55119876543215204000053039865406101.80' +
      '5802BR5911LOJA AURORA6009SAO PAULO62080504100163040197',
    txid: '1001',
  },
  payment_link: null,
  note: 'Entregar à tarde.',
  item_notes: { [item]: 'Para presente.' },
  tracking: { utm_source: 'instagram' },
  message_uuid: null,
  hold_until: '2026-03-02T10:00:00.000Z',
};

export const orderEventExamples = {
  placed: { type: 'OrderPlaced', data: bought },
  notPlaced: { type: 'OrderNotPlaced', data: { company_uuid: exampleIds.company, product_uuids: [product] } },
  heldUntil: { type: 'OrderHoldSet', data: { until: '2026-03-02T10:00:00.000Z' } },
  confirmed: { type: 'OrderConfirmed', data: {} },
  paid: { type: 'OrderPaid', data: {} },
  delivered: { type: 'OrderDelivered', data: {} },
  cancelled: { type: 'OrderCancelled', data: { reason: 'Sem estoque' } },
  stockRestored: { type: 'OrderStockRestored', data: {} },
} satisfies EventExamples<OrderEvent>;

const { placed, confirmed, paid, cancelled } = orderEventExamples;
const { hold_until: _undecided, ...withoutHold } = bought;
/** Spec §3: every transition outside the table is refused, including one to the current status. */
const refusedAgain = 'invalid_status_transition';

export const orderCommandExamples = {
  place: { given: [], command: { type: 'PlaceOrder', data: bought } },
  abandon: {
    given: [],
    command: { type: 'AbandonOrder', companyUuid: exampleIds.company, productUuids: [product] },
  },
  confirm: { given: [placed], command: { type: 'MoveOrder', to: 'confirmado', reason: null }, refusedAgain },
  pay: {
    given: [placed, confirmed],
    command: { type: 'MoveOrder', to: 'pago', reason: null },
    refusedAgain,
  },
  deliver: {
    given: [placed, confirmed, paid],
    command: { type: 'MoveOrder', to: 'entregue', reason: null },
    refusedAgain,
  },
  cancel: {
    given: [placed],
    command: { type: 'MoveOrder', to: 'cancelado', reason: 'Sem estoque' },
    refusedAgain,
  },
  beginHold: {
    given: [{ type: 'OrderPlaced', data: withoutHold }],
    command: { type: 'BeginHold', until: '2026-03-03T12:00:00.000Z' },
  },
  liftHold: { given: [placed, confirmed], command: { type: 'LiftHold' } },
  endHold: { given: [placed], command: { type: 'EndHold' } },
  restore: { given: [placed, cancelled], command: { type: 'NoteStockRestored' } },
} satisfies CommandExamples<OrderEvent, OrderCommand>;
