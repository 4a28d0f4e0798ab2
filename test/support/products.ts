/** Creates products by appending directly to their streams. */
import { directCommand, type App } from '../../application/app.js';
import { productAggregate, type ProductCommand } from '../../domain/product/decide.js';
import type { ProductDetails, ProductImage } from '../../domain/product/events.js';
import { productSlug } from '../../domain/product/slug.js';
import type { Product } from '../../domain/product/state.js';

const DETAILS: ProductDetails = {
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
};

type Create = Extract<ProductCommand, { type: 'CreateProduct' }>;
type Variant = Omit<Create['variants'][number], 'uuid' | 'newUuid'>;

export interface WantedProduct {
  readonly stock?: number | null;
  readonly variants?: readonly Variant[];
  readonly images?: readonly ProductImage[];
  readonly details?: Partial<ProductDetails>;
}

export type ProductChange = Omit<
  Extract<ProductCommand, { type: 'ChangeProduct' }>,
  'type' | 'source' | 'details'
> & { readonly details?: Partial<ProductDetails> };

/** The products of one store. */
export interface Products {
  /** Creates a product; by default it costs 49.90 and has no stock count. */
  create(wanted?: WantedProduct): Promise<{ readonly uuid: string; readonly state: Product }>;
  change(uuid: string, change: ProductChange): Promise<void>;
  delete(uuid: string): Promise<void>;
}

export function productsOf(
  app: App,
  { company, store }: { readonly company: string; readonly store: string },
): Products {
  const run = (uuid: string, command: ProductCommand) =>
    app.executor.execute(productAggregate, uuid, command, directCommand(app, { company, actor: 'test' }));
  return {
    async create({ stock = null, variants = [], images = [], details = {} } = {}) {
      const uuid = app.newId();
      const { state } = await run(uuid, {
        type: 'CreateProduct',
        companyUuid: company,
        storeUuid: store,
        slug: productSlug(details.name ?? DETAILS.name, uuid),
        details: { ...DETAILS, ...details },
        stock,
        variants: variants.map((variant) => ({ ...variant, uuid: null, newUuid: app.newId() })),
        images,
      });
      return { uuid, state };
    },
    async change(uuid, { details = {}, ...change }) {
      await run(uuid, { type: 'ChangeProduct', source: 'api', details, ...change });
    },
    async delete(uuid) {
      await run(uuid, { type: 'DeleteProduct' });
    },
  };
}

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** Products of an arbitrary store, for tests in which the store does not matter. */
export const someProducts = (app: App): Products => productsOf(app, { company: NOBODY, store: NOBODY });

export const productState = async (app: App, uuid: string): Promise<Product> =>
  (await app.executor.load(productAggregate, uuid)).state;
