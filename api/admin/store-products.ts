import { directCommand, type App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { listShelf } from '../../application/queries/product-shelf.js';
import { readProduct, type StoredProduct } from '../../application/queries/products.js';
import { storeProduct } from '../../application/resources/store-product.js';
import type { OpenStore } from '../../application/store/gate.js';
import { previewProducts } from '../../application/store/import-preview.js';
import { operatorsOf } from '../../application/accept-once.js';
import {
  batchProducts,
  createProduct,
  createProductOnce,
  deleteProduct,
  patchProduct,
  type CreatedProduct,
  type WrittenProduct,
} from '../../application/store/products/write.js';
import { loadStore } from '../../application/store/settings.js';
import { versionsOf } from '../conditional.js';
import { pathParam, queryText, type Call, type Reply } from '../middleware/call.js';
import { list, one } from '../routes/replies.js';
import { ADMIN_PATH, countedPageOf, nothing, uuidParameter, type AdminHandlers } from './support.js';

interface ImportBody {
  readonly products: readonly unknown[];
  readonly preview?: boolean;
}

export function storeProductRoutes(app: App, queries: QueryDeps): AdminHandlers {
  const storeOf = ({ params }: Call): Promise<OpenStore> => loadStore(app, pathParam(params, 'company_uuid'));
  return {
    listCompanyStoreProducts: async (call) => {
      const { uuid, state } = await storeOf(call);
      const { active, stock_at_most: stock } = call.query;
      const filter = {
        query: queryText(call.query, 'query'),
        categoryUuid: uuidParameter(call, 'category'),
        active: typeof active === 'boolean' ? active : undefined,
        stockAtMost: typeof stock === 'number' ? stock : undefined,
      };
      const store = { uuid, companyUuid: state.companyUuid };
      return list(await listShelf(queries, store, filter, countedPageOf(call)), presenter(app, state));
    },

    getCompanyStoreProduct: async (call) => {
      const { uuid, state } = await storeOf(call);
      const doc = await readProduct(app.readModels, uuid, pathParam(call.params, 'product_uuid'));
      return one(presenter(app, state)(doc));
    },

    createCompanyStoreProduct: async (call, body: unknown) => {
      const store = await storeOf(call);
      const { doc, warnings, replayed } = await createOnce(app, store, call, body);
      const Location = `${ADMIN_PATH}/companies/${store.state.companyUuid}/store/products/${doc.uuid}`;
      const headers = replayed ? { Location, 'Idempotent-Replayed': 'true' } : { Location };
      return { ...shown(app, store, { doc, warnings }), status: 201, headers };
    },

    changeCompanyStoreProduct: async (call, body: unknown) => {
      const store = await storeOf(call);
      const versions = versionsOf(call.headers['if-match']);
      const uuid = pathParam(call.params, 'product_uuid');
      return shown(
        app,
        store,
        await patchProduct(app, store, uuid, body, commandOf(app, call, store), versions),
      );
    },

    deleteCompanyStoreProduct: async (call) => {
      const store = await storeOf(call);
      const versions = versionsOf(call.headers['if-match']);
      const uuid = pathParam(call.params, 'product_uuid');
      await deleteProduct(app, store, uuid, commandOf(app, call, store), versions);
      return nothing;
    },

    importStoreProducts: async (call, { products, preview }: ImportBody) => {
      const store = await storeOf(call);
      const context = commandOf(app, call, store);
      const { data, meta } = preview
        ? await previewProducts(app, store, products, context)
        : await batchProducts(app, store, products, context, 'import');
      return { status: 200, body: { data: data.map(({ product: _shown, ...item }) => item), meta } };
    },
  };
}

const presenter =
  (app: App, state: OpenStore['state']) =>
  (doc: StoredProduct): object =>
    storeProduct(doc, {
      now: app.clock.now(),
      baseUrl: app.publicUrl(),
      storeSlug: state.status === 'setup' ? null : state.slug,
      categories: state.categories,
    });

async function createOnce(app: App, store: OpenStore, call: Call, body: unknown): Promise<CreatedProduct> {
  const context = commandOf(app, call, store);
  const idempotencyKey = call.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string') {
    return { ...(await createProduct(app, store, body, context)), replayed: false };
  }
  const { caller, requestId, operation } = call;
  const { companyUuid } = store.state;
  const keyOwner = operatorsOf(companyUuid);
  const { method, path: route } = operation;
  const keyed = {
    companyUuid,
    keyOwner,
    actor: caller.actor,
    idempotencyKey,
    requestId,
    method,
    route,
    body,
  };
  return createProductOnce(app, store, keyed, context);
}

/** `meta` is present only if something was ignored or adjusted. */
function shown(app: App, { state }: OpenStore, { doc, warnings }: WrittenProduct): Reply {
  const data = presenter(app, state)(doc);
  return { status: 200, body: warnings.length === 0 ? { data } : { data, meta: { warnings } } };
}

const commandOf = (app: App, { caller, requestId }: Call, { state }: OpenStore): CommandContext =>
  directCommand(app, { company: state.companyUuid, actor: caller.actor, correlationId: requestId });
