/**
 * A catalogue over HTTP: an ERP syncs it while people buy, imports it in batches, and imports it again unchanged; then
 * reads.
 */
import { Pool } from 'undici';
import { benchErpBesideBuyers, erpOver, type Answer, type Erp } from './erp-beside-buyers.js';
import { startProduct, type Product } from './product.js';
import type { Stack } from './stack.js';
import { quantile } from './statistics.js';

/** The maximum number of products in a store. */
const PRODUCTS = 5_000;
const PER_BATCH = 100;
const BATCHES_AT_ONCE = 2;
const READS = Number(process.env['BENCH_SEARCHES'] ?? 500);
const READERS = 2;
const BAR_IMPORT_S = 15;
const BAR_RATIO = 5;
const BAR_P99_MS = 20;

const KINDS = ['Camiseta', 'Calça', 'Boné', 'Meia', 'Vestido', 'Jaqueta', 'Saia', 'Blusão', 'Cinto', 'Tênis'];
const CLOTHS = ['algodão', 'linho', 'lã', 'jeans', 'couro', 'seda', 'poliéster', 'veludo'];
const COLOURS = ['azul', 'vermelho', 'preto', 'branco', 'verde', 'amarelo', 'rosa'];

const productOf = (n: number) => ({
  name: `${pick(KINDS, n)} de ${pick(CLOTHS, n >> 3)} ${pick(COLOURS, n >> 5)} ${n.toString(36)}`,
  description: `Feito à mão em ${pick(CLOTHS, n)}, na cor ${pick(COLOURS, n)}. Lavar à mão; não usar alvejante.`,
  price: (19.9 + (n % 200)).toFixed(2),
  import_handle: `erp-${n}`,
  sku: `SKU-${n}`,
  ncm: '61091000',
  unit: 'UN',
  weight_grams: 100 + (n % 400),
  stock: n % 50,
  ...(n % 4 === 0
    ? {
        variants: ['P', 'M', 'G'].map((size) => ({
          options: { Tamanho: size },
          sku: `SKU-${n}-${size}`,
          stock: n % 9,
        })),
      }
    : {}),
});
const pick = (words: readonly string[], n: number): string => words[n % words.length]!;

/** The queries: lists from the top, and searches as people and systems make them. */
const READ: Readonly<Record<string, (n: number) => string>> = {
  'the first page': () => '',
  'two words': (n) => `${pick(KINDS, n)} ${pick(CLOTHS, n >> 3)}`,
  'the beginning of a word, without accents': (n) => pick(['calc', 'bone', 'blus', 'ten'], n),
  'a code': (n) => `SKU-${n}`,
  'a name': (n) => productOf(n).name,
};

export async function benchCatalog(stack: Stack): Promise<void> {
  // One trusted proxy, so that each buyer can have an address of its own.
  const product = await startProduct(stack, { TRUSTED_PROXIES: '1' });
  const pool = new Pool(product.url, { connections: READERS, bodyTimeout: 0, headersTimeout: 0 });
  try {
    await empty(pool, product);
    await benchErpBesideBuyers(product);
    await empty(pool, product);
    console.log(
      `bench catalog: ${PRODUCTS} products in batches of ${PER_BATCH}, ${BATCHES_AT_ONCE} at once, no pictures`,
    );
    const fresh = await importAll(pool, product, 'created');
    console.log(
      `  imported in ${fresh.seconds.toFixed(1)} s, ${fresh.cpu.toFixed(1)} s of CPU, ${Math.round(PRODUCTS / fresh.seconds)} products/s (bar < ${BAR_IMPORT_S} s)`,
    );
    const again = await importAll(pool, product, 'unchanged');
    console.log(
      `  the same again in ${again.seconds.toFixed(1)} s, ${again.cpu.toFixed(1)} s of CPU: ${(fresh.seconds / again.seconds).toFixed(1)} times as fast (bar ≥ ${BAR_RATIO}), ${again.changes} changes (bar 0)`,
    );
    for (const [kind, queryOf] of Object.entries(READ)) {
      await read(pool, product, queryOf, 20);
      const { times, found } = await read(pool, product, queryOf, READS);
      console.log(
        `  ${kind}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms (bar < ${BAR_P99_MS}), ${(found / times.length).toFixed(1)} on the first page`,
      );
    }
    console.log(`  RSS ${product.rssMb()} MiB`);
  } finally {
    await pool.destroy();
    await product.stop();
  }
}

/** Makes requests that must succeed. */
function sender(pool: Pool, product: Product): Erp {
  const erp = erpOver(pool, product);
  return async (method, path, json): Promise<Answer> => {
    const answer = await erp(method, path, json);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
    return answer;
  };
}

/** Deletes the existing products, which would count towards the limit. */
async function empty(pool: Pool, product: Product): Promise<void> {
  const send = sender(pool, product);
  for (;;) {
    const { data } = await send('GET', '?limit=100');
    const found = data as { uuid: string }[];
    if (found.length === 0) return;
    await Promise.all(found.map(({ uuid }) => send('DELETE', `/${uuid}`)));
  }
}

/** `changes` in the result: the number of changes to the products other than their creation. */
async function importAll(
  pool: Pool,
  product: Product,
  expected: 'created' | 'unchanged',
): Promise<{ readonly seconds: number; readonly cpu: number; readonly changes: number }> {
  const send = sender(pool, product);
  const cpuBefore = cpuOf(product);
  const begun = performance.now();
  let next = 0;
  let changes = 0;
  const importer = async (): Promise<void> => {
    while (next < PRODUCTS) {
      const from = next;
      next += PER_BATCH;
      const products = Array.from({ length: PER_BATCH }, (_, n) => productOf(from + n));
      const { data, meta } = await send('POST', '/batch', { products });
      if (meta?.[expected] !== PER_BATCH)
        throw new Error(`not all were ${expected}: ${JSON.stringify(meta)}`);
      for (const item of data as { product: { version: number } }[]) changes += item.product.version - 1;
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, importer));
  const seconds = (performance.now() - begun) / 1000;
  return { seconds, cpu: cpuOf(product) - cpuBefore, changes };
}

/** CPU seconds of the product, which other load on the machine does not affect. */
const cpuOf = (product: Product): number =>
  Object.values(product.cpuSeconds()).reduce((sum, seconds) => sum + seconds, 0);

async function read(
  pool: Pool,
  product: Product,
  queryOf: (n: number) => string,
  count: number,
): Promise<{ readonly times: readonly number[]; readonly found: number }> {
  const send = sender(pool, product);
  const times: number[] = [];
  let found = 0;
  let left = count;
  const reader = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // Spread over all products, the same ones in every run.
      const query = queryOf((left * 7_919) % PRODUCTS);
      const begun = performance.now();
      const { data } = await send('GET', `?limit=20&query=${encodeURIComponent(query)}`);
      times.push(performance.now() - begun);
      found += (data as readonly unknown[]).length;
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return { times, found };
}
