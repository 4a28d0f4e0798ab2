/**
 * Random requests to everything that the product serves. No response is a 5xx, none departs from the contract (which is
 * a 500 here), and nothing is logged as an error. FUZZ_SEED repeats a run; FUZZ_SECONDS is its length. Requests run
 * concurrently: a seed fixes what is sent, but not the exact order in which it is handled.
 */
import { request } from 'node:http';
import { expect } from 'chai';
import { chance } from '../support/chance.js';
import { knownOf } from '../support/contract/addresses.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { createDraw, type Drawn } from './requests.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123);
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 60);
const AT_ONCE = 4;
const PATIENCE_MS = 30_000;
const LISTED = 20;

/**
 * The status, or null when the server ends the connection: bytes that are not HTTP get no answer, or one of Node's own.
 */
function send(origin: string, { method, path, headers, body }: Drawn): Promise<number | null> {
  const { hostname, port } = new URL(origin);
  const length =
    body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    let req;
    try {
      req = request({ hostname, port, method, path, headers: { ...headers, ...length } });
    } catch {
      // Node's client refuses to send such a request.
      return resolve(null);
    }
    req.setTimeout(PATIENCE_MS, () => req.destroy(new Error(`no answer in ${PATIENCE_MS} ms`)));
    req.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.code?.startsWith('HPE')
        ? resolve(null)
        : reject(error),
    );
    req.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode!));
      answer.on('error', () => resolve(null));
    });
    req.end(body);
  });
}

describe(`requests drawn by chance, FUZZ_SEED=${SEED}`, () => {
  let product: Product;
  before(async () => {
    product = await startProduct();
  });
  after(() => product.close());

  it(`give no 5xx in ${SECONDS} s`, async () => {
    const { credentials, url } = product.running;
    const world = {
      known: await knownOf(product),
      apiKey: product.key,
      adminToken: credentials['admin_token']!,
    };
    const draw = createDraw(world, chance(SEED));
    const until = performance.now() + SECONDS * 1000;
    const seen = new Map<number | null, number>();
    const faults: string[] = [];
    const sender = async (): Promise<void> => {
      while (performance.now() < until && faults.length < LISTED) {
        const drawn = draw();
        const said = (what: string): number =>
          faults.push(
            `${what}: ${drawn.method} ${drawn.path.slice(0, 300)} ${JSON.stringify(drawn.headers).slice(0, 300)} ${drawn.body?.slice(0, 600) ?? ''}`,
          );
        try {
          const status = await send(url, drawn);
          seen.set(status, (seen.get(status) ?? 0) + 1);
          if (status !== null && status >= 500 && status !== 501) said(String(status));
        } catch (error) {
          said(String(error));
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    const counts = [...seen]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([status, n]) => `${status ?? 'none'}: ${n}`);
    console.log(`      answers: ${counts.join(', ')}`);
    expect(faults.join('\n'), faults.join('\n')).to.equal('');
    expect(product.errors, product.errors.join('\n')).to.deep.equal([]);
  });
});
