import { Type } from '@sinclair/typebox';
import { defineEvent, nullable, uuid, type EventOf } from '../kernel/event.js';
import type { Upcaster } from '../kernel/schema-registry.js';
import { DEFAULT_HOLDS } from './holds.js';

const minutes = () => Type.Optional(nullable(Type.Integer({ minimum: 1 })));
/** Left out: no limit, as in events of releases without limits. */
const limit = () => Type.Optional(nullable(Type.Integer({ minimum: 1 })));
const text = () => nullable(Type.String());

const settings = {
  name: Type.String(),
  /** Part of the page's address; unique in the deployment. */
  slug: Type.String(),
  /**
   * `active`: the page sells. `paused`: the page is visible but does not sell. `setup`: the page does not exist yet.
   */
  status: Type.Union([Type.Literal('active'), Type.Literal('paused'), Type.Literal('setup')]),
  description: text(),
  /** The shop's own number, E.164; the page links to it on wa.me. */
  whatsapp_phone: text(),
  /** Channel of carts and order messages; null: the company's only channel. */
  channel_uuid: nullable(uuid()),
  /** `pt-BR` or `en` */
  locale: Type.String(),
  pix: nullable(
    Type.Object({
      key: Type.String(),
      /** `cpf`, `cnpj`, `phone`, `email`, `random` */
      key_type: Type.String(),
      merchant_name: Type.String(),
      merchant_city: Type.String(),
    }),
  ),
  payment_methods: Type.Array(Type.String()),
  delivery: nullable(
    Type.Object({
      /** Cents, for every order. */
      fee_cents: Type.Integer({ minimum: 0 }),
      /** Delivery is free from this subtotal on, in cents; null: never. */
      free_from_cents: nullable(Type.Integer({ minimum: 0 })),
      /** Prefixes of the CEPs that the store delivers to, digits; empty: everywhere. */
      zip_prefixes: Type.Array(Type.String()),
    }),
  ),
  pickup: nullable(Type.Object({ location: Type.String() })),
  /** How long unpaid orders hold their stock, in minutes per payment method; null: no time limit. */
  hold_minutes: Type.Object(
    {
      pix: minutes(),
      card: minutes(),
      cash: minutes(),
      payment_link: minutes(),
      other: minutes(),
      /** For an order without a payment method, such as a WhatsApp cart. */
      not_chosen: minutes(),
    },
    { additionalProperties: false },
  ),
  /** Units of one product, all its variants together, in one order of a visitor; null: any number. */
  max_product_units_per_order: limit(),
  /** Unpaid orders that one contact may have at a time as a visitor; null: any number. */
  max_unpaid_orders_per_contact: limit(),
};

export const storeEvents = [
  defineEvent('StoreOpened', 2, 'A store was opened for a company.', { company_uuid: uuid(), ...settings }),
  defineEvent('StoreChanged', 2, 'Settings of the store changed; holds the changed ones.', {
    settings: Type.Partial(Type.Object(settings), { additionalProperties: false }),
  }),
  defineEvent('StorePlanChanged', 1, "The storefront was added to the company's plan, or removed from it.", {
    allowed: Type.Boolean(),
  }),
  defineEvent('CategoryCreated', 1, 'A category was created.', {
    uuid: uuid(),
    name: Type.String(),
    slug: Type.String(),
    parent_uuid: nullable(uuid()),
    position: Type.Integer({ minimum: 0 }),
    active: Type.Boolean(),
  }),
  defineEvent(
    'CategoryChanged',
    1,
    'A category was renamed, moved, ordered, shown or hidden; holds the changed fields.',
    {
      uuid: uuid(),
      name: Type.Optional(Type.String()),
      slug: Type.Optional(Type.String()),
      parent_uuid: Type.Optional(nullable(uuid())),
      position: Type.Optional(Type.Integer({ minimum: 0 })),
      active: Type.Optional(Type.Boolean()),
    },
  ),
  defineEvent('CategoryRemoved', 1, 'A category was removed; its products have no category now.', {
    uuid: uuid(),
  }),
] as const;

export type StoreEvent = EventOf<typeof storeEvents>;

/** `Type@version` → data of the next version. */
export const storeUpcasters: Readonly<Record<string, Upcaster>> = {
  // In version 1, unpaid orders held their stock without a time limit; now the defaults apply.
  'StoreOpened@1': (data) => ({ ...data, hold_minutes: DEFAULT_HOLDS }),
  // Version 2 only adds settings.
  'StoreChanged@1': (data) => data,
};
