/** An ERP syncs over 64 connections while 64 people buy from the same store: no call is refused and no unit is lost. */
import { Pool } from 'undici';
import { DEMO_STORE_SLUG } from '../../runtime/demo/store.js';
import type { Product } from './product.js';

const CONNECTIONS = 64;
const SECONDS = Number(process.env['BENCH_SYNC_SECONDS'] ?? 10);
const STOCK = 100_000;
const PER_BATCH = 5;
const STORE = `/loja/${DEMO_STORE_SLUG}`;
/** The payment by Pix stays pending, and reserves the unit as a sale does. */
const BUYER = { name: 'Maria Souza', phone: '(11) 98765-4321', fulfillment: 'pickup', payment: 'pix' };

type Counts = Record<string, number>;

const count = (counts: Counts, what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);

const inWords = (counts: Counts): string =>
  Object.entries(counts)
    .sort()
    .map(([what, times]) => `${times} × ${what}`)
    .join(', ');

/** @throws Error when a call was refused or the stock does not add up */
export async function benchErpBesideBuyers(product: Product): Promise<void> {
  const pool = new Pool(product.url, { connections: 2 * CONNECTIONS, bodyTimeout: 0, headersTimeout: 0 });
  try {
    const erp = erpOver(pool, product);
    const sold = await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, n) => {
        const made = await erp('POST', '', { name: `Vendido ${n}`, price: '10.00', stock: STOCK });
        return (made.data as { readonly uuid: string }).uuid;
      }),
    );
    const until = performance.now() + SECONDS * 1000;
    const synced: Counts = {};
    const bought: Counts = {};
    const units = new Map<string, number>();
    const isOver = (): boolean => performance.now() >= until;
    await Promise.all(
      sold.flatMap((uuid, n) => [
        sync(erp, uuid, n, isOver, synced),
        buy(pool, uuid, n, isOver, bought, units),
      ]),
    );
    const left = await Promise.all(sold.map(async (uuid) => stockOf(await erp('GET', `/${uuid}`))));
    const wrong = left.filter((stock, n) => stock !== STOCK - (units.get(sold[n]!) ?? 0)).length;
    console.log(
      `  beside each other for ${SECONDS} s: an ERP on ${CONNECTIONS} connections ${inWords(synced)}; ${CONNECTIONS} buyers ${inWords(bought)}`,
    );
    console.log(`  409: ${synced['409'] ?? 0} (bar 0); products whose stock is wrong: ${wrong} (bar 0)`);
    const refused = [...Object.keys(synced), ...Object.keys(bought)].filter((what) => !EXPECTED.has(what));
    if (refused.length > 0) throw new Error(`Not all were served: ${refused.join(', ')}.`);
    if ((bought['ordered'] ?? 0) === 0) throw new Error('Nobody has bought anything.');
    if (wrong > 0) throw new Error(`The stock of ${wrong} products does not match what was bought.`);
  } finally {
    await pool.destroy();
  }
}

const EXPECTED: ReadonlySet<string> = new Set(['200', '201', '204', 'ordered']);

export interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}
export type Erp = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  json?: object,
) => Promise<Answer>;

export const erpOver =
  (pool: Pool, { apiKey }: Product): Erp =>
  async (method, path, json) => {
    const answer = await pool.request({
      path: `/api/v1/store/products${path}`,
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, ...(text === '' ? {} : (JSON.parse(text) as object)) };
  };

const stockOf = ({ data }: Answer): number | null => (data as { readonly stock: number | null }).stock;

/** Until the time is over: edits the product on sale, imports others, and creates and deletes one. */
async function sync(erp: Erp, uuid: string, n: number, isOver: () => boolean, counts: Counts): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const note = (answer: Answer): Answer => {
      count(counts, String(answer.status));
      return answer;
    };
    note(await erp('PATCH', `/${uuid}`, { description: `Texto ${round}` }));
    const products = Array.from({ length: PER_BATCH }, (_, place) => ({
      name: `Importado ${n}-${place}`,
      description: `Lote ${round}`,
      price: '5.00',
      import_handle: `sync-${n}-${place}`,
    }));
    const { status, meta } = note(await erp('POST', '/batch', { products }));
    if (status === 200 && meta?.['failed'] !== 0) count(counts, `items failed: ${JSON.stringify(meta)}`);
    const made = note(await erp('POST', '', { name: `Novo ${n}-${round}`, price: '1.00' }));
    const { uuid: fresh } = (made.data ?? {}) as { readonly uuid?: string };
    if (fresh !== undefined) note(await erp('DELETE', `/${fresh}`));
  }
}

/** One person who buys repeatedly: a cart of one unit, the form, the order. */
async function buy(
  pool: Pool,
  uuid: string,
  n: number,
  isOver: () => boolean,
  counts: Counts,
  units: Map<string, number>,
): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const visit = visitorOf(pool, `10.${n}.${(round >> 8) & 255}.${round & 255}`);
    await visit('POST', '/sacola', { action: 'add', product: uuid, quantity: '1' });
    const { html } = await visit('GET', '/finalizar');
    const [token, seen] = [fieldOf(html, 'token'), fieldOf(html, 'seen')];
    const { status, location } = await visit('POST', '/finalizar', { ...BUYER, token, seen });
    const ordered = status === 303 && location.includes('/pedido/');
    count(counts, ordered ? 'ordered' : `checkout ${status} ${location.replace(/\/[0-9a-f-]{36}.*/, '')}`);
    if (ordered) units.set(uuid, (units.get(uuid) ?? 0) + 1);
  }
}

/** Each visitor has an address of its own; otherwise the checkout's rate limit would treat them as one. */
function visitorOf(pool: Pool, address: string) {
  const cookies = new Map<string, string>();
  return async (method: 'GET' | 'POST', path: string, form?: Readonly<Record<string, string>>) => {
    const answer = await pool.request({
      path: `${STORE}${path}`,
      method,
      headers: {
        'x-forwarded-for': address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    const location = String(answer.headers['location'] ?? '');
    return { status: answer.statusCode, location, html: await answer.body.text() };
  };
}

/** The value of a hidden field; empty when the page has no such field, which the checkout then refuses. */
const fieldOf = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replace(/&#61;/g, '=') ?? '';
