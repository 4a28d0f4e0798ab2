/** A shop with its page over a real socket, on embedded adapters, and visitors that keep cookies. */
import { randomBytes } from 'node:crypto';
import express from 'express';
import { robotsTxt, storePage } from '../../store-page/router.js';
import { type App } from '../../application/app.js';
import type { OrderSource } from '../../application/resources/store-order.js';
import { createCategory } from '../../application/store/categories.js';
import { changeStore, changeStorePlan, openStore } from '../../application/store/settings.js';
import type { StoreSettings } from '../../domain/store/settings.js';
import type { ProductDetails } from '../../domain/product/events.js';
import { storeId } from '../../domain/streams.js';
import { orders } from '../../read-models/orders.js';
import { makeApi, type TestApi, type TestApiOptions } from '../support/api/make-api.js';
import { productsOf, type ProductChange, type WantedProduct } from '../support/products.js';
import { makeWorld, type World } from '../support/api/world.js';
import { serve } from '../support/servers.js';

const ADMIN = { actor: 'admin' };

export type Seed = Partial<ProductDetails> & Omit<WantedProduct, 'details'>;

export interface Product {
  readonly uuid: string;
  readonly slug: string;
  readonly variants: readonly string[];
}

export interface Shop {
  readonly app: App;
  readonly world: World;
  readonly api: TestApi;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly storeUuid: string;
  change(settings: Partial<StoreSettings>): Promise<void>;
  changePlan(allowed: boolean): Promise<void>;
  category(name: string, parentUuid?: string | null): Promise<string>;
  product(seed?: Seed): Promise<Product>;
  changeProduct(uuid: string, change: ProductChange): Promise<void>;
  deleteProduct(uuid: string): Promise<void>;
  /** Oldest first. */
  orders(): Promise<readonly OrderSource[]>;
  visitor(): Visitor;
  close(): Promise<void>;
}

export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** The target of a redirect. */
  readonly location: string | null;
}

export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  post(
    path: string,
    form: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Page>;
  /** Puts a product into the cart. */
  add(product: string, quantity?: string, variant?: string): Promise<Page>;
}

/** Delivers for R$ 12,00, free from R$ 150,00, in the CEPs from 01 to 02; pickup too; Pix, card and cash. */
export const SETTINGS: Partial<StoreSettings> = {
  name: 'Loja Aurora',
  slug: 'aurora',
  status: 'active',
  description: 'Camisetas, canecas e presentes.',
  whatsappPhone: '+5511940028922',
  pix: { key: '+5511940028922', keyType: 'phone', merchantName: 'Loja Aurora', merchantCity: 'Sao Paulo' },
  paymentMethods: ['pix', 'card', 'cash'],
  delivery: { feeCents: 1200, freeFromCents: 15_000, zipPrefixes: ['01', '02'] },
  pickup: { location: 'Rua Augusta, 1000' },
};

export async function openShop(
  settings: Partial<StoreSettings> = {},
  options: TestApiOptions = {},
  pageOver: (app: App) => App = (app) => app,
): Promise<Shop> {
  const api = await makeApi(options);
  const { app } = api;
  const world = await makeWorld(app);
  const { company } = world;
  await openStore(app, { companyUuid: company, settings: { ...SETTINGS, ...settings } }, ADMIN);
  const root = express().disable('x-powered-by').disable('etag');
  root.use(
    '/loja',
    storePage({ app: pageOver(app), secret: randomBytes(32), cursorSecret: randomBytes(32) }),
  );
  root.get('/robots.txt', robotsTxt({ app }));
  const server = await serve(root);
  const { origin } = server;
  const storeUuid = storeId(company);
  const products = productsOf(app, { company, store: storeUuid });

  return {
    app,
    world,
    api,
    origin,
    storeUuid,
    async change(changed) {
      await changeStore(app, { companyUuid: company, settings: changed }, ADMIN);
    },
    async changePlan(allowed) {
      await changeStorePlan(app, { companyUuid: company, allowed }, ADMIN);
    },
    async category(name, parentUuid = null) {
      const { categoryUuid } = await createCategory(app, company, { name, parentUuid }, ADMIN);
      return categoryUuid;
    },
    async product({ stock = null, variants = [], images = [], ...details } = {}) {
      const { uuid, state } = await products.create({
        details: { description: 'Algodão orgânico.', ...details },
        stock,
        variants,
        images,
      });
      return { uuid, slug: state.slug, variants: state.variants.map((variant) => variant.uuid) };
    },
    changeProduct: (uuid, change) => products.change(uuid, change),
    deleteProduct: (uuid) => products.delete(uuid),
    async orders() {
      const found = await app.readModels.find(orders.name, {
        index: 'by_store',
        equals: [storeUuid],
        order: 'asc',
        limit: 100,
      });
      return found.documents.map(({ doc }) => doc);
    },
    visitor: () => makeVisitor(origin),
    async close() {
      await server.close();
      await api.close();
    },
  };
}

function makeVisitor(origin: string): Visitor {
  const cookies = new Map<string, string>();
  async function send(path: string, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const answer = await fetch(`${origin}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    return {
      status: answer.status,
      html: await answer.text(),
      headers: answer.headers,
      location: answer.headers.get('location'),
    };
  }
  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, form, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      }),
    add: (product, quantity = '1', variant) =>
      visitor.post('/loja/aurora/sacola', {
        action: 'add',
        product,
        quantity,
        ...(variant !== undefined && { variant }),
      }),
  };
  return visitor;
}

/** The value of a hidden field. */
export function fieldOf(html: string, name: string): string {
  const found = new RegExp(`name="${name}" value="([^"]*)"`).exec(html);
  if (!found) throw new Error(`the page has no field ${name}`);
  return found[1]!.replace(/&#61;/g, '=');
}

export const BUYER = {
  name: 'Maria Souza',
  phone: '(11) 98765-4321',
  fulfillment: 'delivery',
  zipcode: '01310-100',
  street: 'Avenida Paulista',
  number: '1000',
  complement: '',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
  payment: 'pix',
  note: 'Entregar à tarde.',
} as const;

/** Goes from the product's page to the checkout form that is to be filled in. */
export async function toCheckout(
  visitor: Visitor,
  product: Product,
  quantity = '1',
): Promise<Readonly<Record<string, string>>> {
  await visitor.add(product.uuid, quantity, product.variants[0]);
  const { html, status } = await visitor.get('/loja/aurora/finalizar');
  if (status !== 200) throw new Error(`no checkout: ${status}`);
  return { ...BUYER, token: fieldOf(html, 'token'), seen: fieldOf(html, 'seen') };
}
