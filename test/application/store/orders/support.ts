/** A company with a store that sells, and what orders are tried with. */
import { directCommand, type App } from '../../../../application/app.js';
import type { CommandContext } from '../../../../application/execute.js';
import { storeOf, type OpenStore } from '../../../../application/store/gate.js';
import type { OrderInput, OrderLine } from '../../../../application/store/orders/input.js';
import { productAggregate, type ProductCommand } from '../../../../domain/product/decide.js';
import type { Product } from '../../../../domain/product/state.js';
import { storeAggregate } from '../../../../domain/store/decide.js';
import type { StoreSettings } from '../../../../domain/store/settings.js';
import { storeId } from '../../../../domain/store/stream.js';
import { makeWorld, type World } from '../../../support/api/world.js';

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

type Create = Extract<ProductCommand, { type: 'CreateProduct' }>;
type Variant = Omit<Create['variants'][number], 'uuid' | 'newUuid'>;
type Wanted = Partial<Pick<Create, 'stock' | 'images'>> & {
  readonly variants?: readonly Variant[];
  readonly details?: Partial<Product['details']>;
};

/** One that costs 49.90 and is not counted, unless it is said otherwise. */
export async function addProduct({ app, store, company }: Shop, wanted: Wanted = {}): Promise<string> {
  const uuid = app.newId();
  const { details, stock = null, variants = [], images = [] } = wanted;
  await app.executor.execute(
    productAggregate,
    uuid,
    {
      type: 'CreateProduct',
      companyUuid: company,
      storeUuid: store.uuid,
      slug: `produto-${uuid.slice(0, 8)}`,
      details: {
        name: 'Camiseta Azul',
        description: null,
        price_cents: 4990,
        promo_price_cents: null,
        promo_starts_at: null,
        promo_ends_at: null,
        import_handle: null,
        sku: null,
        gtin: null,
        ncm: null,
        unit: null,
        brand: null,
        category_uuid: null,
        weight_grams: null,
        width_mm: null,
        height_mm: null,
        length_mm: null,
        active: true,
        ...details,
      },
      stock,
      variants: variants.map((variant) => ({ ...variant, uuid: null, newUuid: app.newId() })),
      images,
    },
    context({ app, company }),
  );
  return uuid;
}

export const product = async ({ app }: Pick<Shop, 'app'>, uuid: string): Promise<Product> =>
  (await app.executor.load(productAggregate, uuid)).state;

export async function changeProduct(
  shop: Shop,
  uuid: string,
  command: Omit<Extract<ProductCommand, { type: 'ChangeProduct' }>, 'type' | 'details' | 'source'> & {
    readonly details?: Partial<Product['details']>;
  },
): Promise<void> {
  await shop.app.executor.execute(
    productAggregate,
    uuid,
    { type: 'ChangeProduct', source: 'api', details: {}, ...command },
    context(shop),
  );
}

export const deleteProduct = (shop: Shop, uuid: string) =>
  shop.app.executor.execute(productAggregate, uuid, { type: 'DeleteProduct' }, context(shop));

let buyers = 0;
/** A buyer of their own for each order. */
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
