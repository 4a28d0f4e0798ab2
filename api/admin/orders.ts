import { directCommand, type App } from '../../application/app.js';
import { listOrders, readOrder } from '../../application/queries/orders.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { storeOf } from '../../application/store/gate.js';
import type { Fulfillment, OrderAddress } from '../../application/store/orders/input.js';
import { moveOrder } from '../../application/store/orders/move.js';
import { placeOrder } from '../../application/store/orders/place.js';
import { assertSameOrder } from '../../application/store/orders/repeated.js';
import type { OrderStatus } from '../../domain/order/status.js';
import { companies } from '../../read-models/companies.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { list, one } from '../routes/replies.js';
import { orderPresenter, showOrder } from '../routes/store-orders.js';
import { commander, countedPageOf, created, readDocument, type AdminHandlers } from './support.js';

/** As in the contract; omitted fields are null. */
interface OrderBody {
  readonly uuid?: string;
  readonly items: readonly {
    readonly product_uuid: string;
    readonly variant_uuid?: string | null;
    readonly quantity: number;
    readonly note?: string | null;
  }[];
  readonly customer: {
    readonly name?: string | null;
    readonly phone: string;
    readonly email?: string | null;
    readonly document?: string | null;
  };
  readonly fulfillment: { readonly type: Fulfillment; readonly address?: Partial<OrderAddress> | null };
  readonly payment?: { readonly method?: string | null; readonly link?: string | null };
  readonly note?: string | null;
  readonly tracking?: Readonly<Record<string, string>>;
}

interface MoveBody {
  readonly status: OrderStatus;
  readonly reason?: string | null;
}

export function orderRoutes(app: App, queries: QueryDeps): AdminHandlers {
  const companyOf = async ({ params }: Pick<Call, 'params'>): Promise<string> => {
    const company = pathParam(params, 'company_uuid');
    await readDocument(app.readModels, companies.name, company, 'company');
    return company;
  };
  const context = (call: Call, company: string) => directCommand(app, { company, ...commander(call) });

  return {
    listCompanyOrders: async (call) => {
      const status = queryText(call.query, 'status');
      const page = await listOrders(queries, await companyOf(call), status, countedPageOf(call));
      return list(page, await orderPresenter(app, page.documents));
    },

    getCompanyOrder: async (call) => {
      const order = await readOrder(
        app.readModels,
        await companyOf(call),
        pathParam(call.params, 'order_uuid'),
      );
      return one((await orderPresenter(app, [order]))(order));
    },

    placeCompanyOrder: async (call, body: OrderBody) => {
      const company = await companyOf(call);
      const store = await storeOf(app, company);
      const input = inputOf(app, body);
      const placed = await placeOrder(app, store, input, context(call, company));
      assertSameOrder(placed, input);
      return created(await showOrder(app, placed.uuid));
    },

    moveCompanyOrder: async (call, { status, reason = null }: MoveBody) => {
      const company = await companyOf(call);
      const uuid = pathParam(call.params, 'order_uuid');
      await moveOrder(app, company, uuid, status, reason, context(call, company));
      return one(await showOrder(app, uuid));
    },
  };
}

function inputOf(app: App, body: OrderBody) {
  const { customer, fulfillment, payment } = body;
  const { type, address = null } = fulfillment;
  return {
    orderUuid: body.uuid?.toLowerCase() ?? app.newId(),
    source: 'dashboard',
    lines: body.items.map(({ product_uuid, variant_uuid, quantity, note }) => ({
      productUuid: product_uuid.toLowerCase(),
      variantUuid: variant_uuid?.toLowerCase() ?? null,
      quantity,
      note: note ?? null,
    })),
    customer: {
      name: customer.name ?? null,
      phone: customer.phone,
      email: customer.email ?? null,
      document: customer.document ?? null,
    },
    fulfillment: type,
    address: address === null ? null : { ...NO_ADDRESS, ...address },
    payment: { method: payment?.method ?? null, link: payment?.link ?? null },
    note: body.note ?? null,
    tracking: body.tracking ?? {},
  } as const;
}

const NO_ADDRESS: OrderAddress = {
  zipcode: null,
  street: null,
  number: null,
  complement: null,
  district: null,
  city: null,
  state: null,
};
