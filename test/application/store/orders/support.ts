/** A company with an open store, and helpers for tests of orders. */
import { directCommand, type App } from '../../../../application/app.js';
import type { CommandContext } from '../../../../application/execute.js';
import { storeOf, type OpenStore } from '../../../../application/store/gate.js';
import type { OrderInput, OrderLine } from '../../../../application/store/orders/input.js';
import { storeAggregate } from '../../../../domain/store/decide.js';
import type { StoreSettings } from '../../../../domain/store/settings.js';
import { storeId } from '../../../../domain/streams.js';
import { makeWorld, type World } from '../../../support/api/world.js';
import {
  productsOf,
  productState,
  type ProductChange,
  type WantedProduct,
} from '../../../support/products.js';

export interface Shop extends World {
  readonly app: App;
  readonly store: OpenStore;
}

export const PIX = {
  key: 'loja@example.com',
  keyType: 'email',
  merchantName: 'Loja Aurora',
  merchantCity: 'São Paulo',
} as const;

export const context = (shop: Pick<Shop, 'app' | 'company'>, actor = 'test'): CommandContext =>
  directCommand(shop.app, { company: shop.company, actor });

export async function openShop(app: App, settings: Partial<StoreSettings> = {}): Promise<Shop> {
  const world = await makeWorld(app);
  const store = storeId(world.company);
  await app.executor.execute(
    storeAggregate,
    store,
    {
      type: 'OpenStore',
      companyUuid: world.company,
      settings: {
        name: 'Loja Aurora',
        slug: `aurora-${world.company.slice(0, 8)}`,
        status: 'active',
        whatsappPhone: '+5511987650000',
        paymentMethods: ['pix', 'cash'],
        pix: PIX,
        delivery: { feeCents: 1200, freeFromCents: 20_000, zipPrefixes: ['01', '02'] },
        pickup: { location: 'Rua Augusta, 100' },
        ...settings,
      },
    },
    directCommand(app, { company: world.company, actor: 'test' }),
  );
  return { ...world, app, store: await storeOf(app, world.company) };
}

const productsIn = ({ app, company, store }: Shop) => productsOf(app, { company, store: store.uuid });

/** Returns the product's uuid. */
export const addProduct = async (shop: Shop, wanted?: WantedProduct): Promise<string> =>
  (await productsIn(shop).create(wanted)).uuid;
export const product = ({ app }: Pick<Shop, 'app'>, uuid: string) => productState(app, uuid);
export const stocks = (shop: Pick<Shop, 'app'>, uuids: readonly string[]) =>
  Promise.all(uuids.map(async (uuid) => (await product(shop, uuid)).stock));
export const changeProduct = (shop: Shop, uuid: string, change: ProductChange) =>
  productsIn(shop).change(uuid, change);
export const deleteProduct = (shop: Shop, uuid: string) => productsIn(shop).delete(uuid);

let buyers = 0;
/** A new phone: each order gets a buyer of its own. */
const freshPhone = (): string => `+55119${String(70_000_000 + (buyers += 1))}`;

export function orderOf(
  app: App,
  lines: readonly (OrderLine | string)[],
  more: Partial<OrderInput> = {},
): OrderInput {
  return {
    orderUuid: app.newId(),
    source: 'storefront',
    lines: lines.map((line) =>
      typeof line === 'string' ? { productUuid: line, variantUuid: null, quantity: 1 } : line,
    ),
    customer: { name: 'Maria Souza', phone: freshPhone(), email: 'maria@example.com', document: null },
    fulfillment: 'pickup',
    address: null,
    payment: { method: 'cash' },
    note: null,
    tracking: {},
    ...more,
  };
}

export const ADDRESS = {
  zipcode: '01310-100',
  street: 'Avenida Paulista',
  number: '1000',
  complement: null,
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
};
