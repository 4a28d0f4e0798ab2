import { directCommand, type App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { listProducts, readProduct, type StoredProduct } from '../../application/queries/products.js';
import { storeProduct } from '../../application/resources/store-product.js';
import { storeOf, type OpenStore } from '../../application/store/gate.js';
import {
  batchProducts,
  createProduct,
  createProductOnce,
  deleteProduct,
  patchProduct,
  type WrittenProduct,
} from '../../application/store/products/write.js';
import { versionsOf } from '../conditional.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Call, type Handlers, type Reply } from '../middleware/call.js';
import { keyedRequest, list, one, pageOf } from './replies.js';

/** @param basePath prefix of `Location` */
export const storeProductRoutes = (app: App, queries: QueryDeps, basePath: string): Handlers<ApiCaller> => ({
  listStoreProducts: async (call) => {
    const { company } = call.caller;
    const store = await storeOf(app, company);
    const query = queryText(call.query, 'query');
    const scope = { uuid: store.uuid, companyUuid: company };
    return list(await listProducts(queries, scope, { query }, pageOf(call)), presenter(app, store));
  },

  getStoreProduct: async ({ caller, params }) => {
    const store = await storeOf(app, caller.company);
    return one(
      presenter(app, store)(await readProduct(app.readModels, store.uuid, pathParam(params, 'product_uuid'))),
    );
  },

  createStoreProduct: async (call, body: unknown) => {
    const store = await storeOf(app, call.caller.company);
    const created =
      call.headers['idempotency-key'] === undefined
        ? { ...(await createProduct(app, store, body, commandOf(app, call))), replayed: false }
        : await createProductOnce(app, store, keyedRequest(call, body), commandOf(app, call));
    const Location = `${basePath}/store/products/${created.doc.uuid}`;
    const headers = created.replayed ? { Location, 'Idempotent-Replayed': 'true' } : { Location };
    return { ...reply(app, store, created), status: 201, headers };
  },

  updateStoreProduct: async (call, body: unknown) => {
    const store = await storeOf(app, call.caller.company);
    const uuid = pathParam(call.params, 'product_uuid');
    const versions = versionsOf(call.headers['if-match']);
    const written = await patchProduct(app, store, uuid, body, commandOf(app, call), versions);
    return reply(app, store, written);
  },

  deleteStoreProduct: async (call) => {
    const store = await storeOf(app, call.caller.company);
    const versions = versionsOf(call.headers['if-match']);
    await deleteProduct(app, store, pathParam(call.params, 'product_uuid'), commandOf(app, call), versions);
    return { status: 204 };
  },

  batchStoreProducts: async (call, { products }: { readonly products: readonly unknown[] }) => {
    const store = await storeOf(app, call.caller.company);
    const { data, meta } = await batchProducts(app, store, products, commandOf(app, call));
    const present = presenter(app, store);
    const shown = data.map((item) => ({ ...item, product: item.product && present(item.product) }));
    return { status: 200, body: { data: shown, meta } };
  },
});

const presenter = (app: App, { state }: OpenStore): ((doc: StoredProduct) => object) => {
  const view = {
    now: app.clock.now(),
    baseUrl: app.publicUrl(),
    storeSlug: state.status === 'setup' ? null : state.slug,
    categories: state.categories,
  };
  return (doc) => storeProduct(doc, view);
};

/** `meta` is present only if something was ignored or adjusted. */
function reply(app: App, store: OpenStore, { doc, warnings }: WrittenProduct): Reply {
  const data = presenter(app, store)(doc);
  return { status: 200, body: warnings.length === 0 ? { data } : { data, meta: { warnings } } };
}

const commandOf = (app: App, { caller, requestId }: Call<ApiCaller>): CommandContext =>
  directCommand(app, { company: caller.company, actor: caller.actor, correlationId: requestId });
