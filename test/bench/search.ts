/** `GET /contacts?query=…` over HTTP, in a company with many contacts. */
import { Pool } from 'undici';
import { admin, startProduct, type Product } from './product.js';
import { spawnStandIns } from './spawned-stand-ins.js';
import type { Stack } from './stack.js';
import { quantile } from './statistics.js';

const CONTACTS = Number(process.env['BENCH_CONTACTS'] ?? 200_000);
const SEARCHES = Number(process.env['BENCH_SEARCHES'] ?? 2_000);
const ROWS_PER_IMPORT = 500;
const IMPORTS_AT_ONCE = 4;
/** Number of concurrent searches: more than one also measures how they wait for each other. */
const SEARCHERS = Number(process.env['BENCH_SEARCHERS'] ?? 1);
const BAR_P99_MS = 20;

const FIRST = [
  'Ana',
  'Bruno',
  'Carla',
  'Diego',
  'Érica',
  'Fábio',
  'Gabriela',
  'João',
  'Luíza',
  'Márcio',
  'Tânia',
];
const LAST = [
  'Almeida',
  'Barbosa',
  'Conceição',
  'Dias',
  'Esteves',
  'Ferreira',
  'Gonçalves',
  'Silva',
  'Souza',
];
const CITIES = ['Belém', 'Campinas', 'Curitiba', 'Goiânia', 'Manaus', 'Recife', 'Santos', 'Vitória'];

const rowOf = (n: number) => ({
  line: n + 1,
  phone: phoneOf(n),
  external_id: `cliente-${n}`,
  name: `${FIRST[n % FIRST.length]} ${LAST[n % LAST.length]} ${CITIES[(n >> 3) % CITIES.length]} ${n.toString(36)}`,
  email: `cliente.${n}@loja.example`,
  tags: [n % 2 === 0 ? 'par' : 'ímpar'],
});
const phoneOf = (n: number): string => `+55119${80_000_000 + n}`;

/** Typical search terms: with one result, a few, or many, and terms without a result. */
const KINDS: Readonly<Record<string, (n: number) => string>> = {
  'a whole name': (n) => rowOf(n).name,
  'first and last name': (n) => `${FIRST[n % FIRST.length]} ${LAST[n % LAST.length]}`,
  'the beginning of a name': (n) => FIRST[n % FIRST.length]!.slice(0, 3).toLowerCase(),
  'a phone': (n) => phoneOf(n),
  'a phone as people write it': (n) => phoneOf(n).replace(/^\+55(..)(.....)(....)$/, '($1) $2-$3'),
  'the beginning of a phone': (n) => phoneOf(n).slice(3, 9),
  'last four digits': (n) => phoneOf(n).slice(-4),
  'an e-mail': (n) => rowOf(n).email,
  'an external id': (n) => rowOf(n).external_id,
  'a tag of half': () => 'par',
  'two tags that nobody has both': () => 'par impar',
  'a tag of half and a rare word': (n) => `par ${n.toString(36)}`,
  nothing: (n) => `zzq${n}`,
};

export async function benchSearch(stack: Stack): Promise<void> {
  const standIns = await spawnStandIns();
  const product = await startProduct(stack, { WHATSAPP_API_URL: standIns.providerUrl });
  const pool = new Pool(product.url, { connections: SEARCHERS });
  try {
    const seconds = await importContacts(product);
    console.log(
      `bench search: ${CONTACTS} contacts (imported in ${seconds.toFixed(0)} s), ${SEARCHES} searches of each kind, ${SEARCHERS} at once`,
    );
    for (const [kind, queryOf] of Object.entries(KINDS)) {
      await searches(pool, product, queryOf, 50);
      const before = cpuOf(product);
      const { times, found, refused } = await searches(pool, product, queryOf, SEARCHES);
      const cpuMs = ((cpuOf(product) - before) * 1000) / SEARCHES;
      console.log(
        `  ${kind}: ${cpuMs.toFixed(1)} ms of CPU, p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms (bar < ${BAR_P99_MS}),` +
          ` ${(found / times.length).toFixed(1)} found on the first page, ${refused} refused`,
      );
    }
    console.log(`  RSS ${product.rssMb()} MiB`);
  } finally {
    await pool.destroy();
    await product.stop();
    await standIns.stop();
  }
}

const cpuOf = (product: Product): number =>
  Object.values(product.cpuSeconds()).reduce((sum, seconds) => sum + seconds, 0);

async function importContacts(product: Product): Promise<number> {
  const begun = performance.now();
  const path = `/companies/${product.credentials['company_uuid']}/contacts/import`;
  let next = 0;
  const importer = async (): Promise<void> => {
    while (next < CONTACTS) {
      const from = next;
      next += ROWS_PER_IMPORT;
      const rows = Array.from({ length: Math.min(ROWS_PER_IMPORT, CONTACTS - from) }, (_, n) =>
        rowOf(from + n),
      );
      const body = { integration_uuid: product.credentials['integration_uuid'], rows };
      const answer = await admin<{ rows: readonly { status: string }[] }>(product, 'POST', path, body);
      const bad = answer.rows.filter(({ status }) => status !== 'created');
      if (bad.length > 0) throw new Error(`a contact was not made: ${JSON.stringify(bad[0])}`);
    }
  };
  await Promise.all(Array.from({ length: IMPORTS_AT_ONCE }, importer));
  return (performance.now() - begun) / 1000;
}

async function searches(
  pool: Pool,
  product: Product,
  queryOf: (n: number) => string,
  count: number,
): Promise<{ readonly times: readonly number[]; readonly found: number; readonly refused: number }> {
  const times: number[] = [];
  let found = 0;
  let refused = 0;
  let left = count;
  const searcher = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // Spread over all contacts, the same ones in every run.
      const query = queryOf((left * 7_919) % CONTACTS);
      const begun = performance.now();
      const answer = await pool.request({
        path: `/api/v1/contacts?query=${encodeURIComponent(query)}`,
        method: 'GET',
        headers: { authorization: `Bearer ${product.apiKey}` },
      });
      const { data } = (await answer.body.json()) as { data?: readonly unknown[] };
      times.push(performance.now() - begun);
      if (answer.statusCode === 200) found += data?.length ?? 0;
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: SEARCHERS }, searcher));
  return { times, found, refused };
}
