/**
 * Schemathesis checks a running product against both contracts. Its requests fit the contract or violate it: from the
 * contract's examples, at its bounds, at random, and in sequences. CONTRACT_EXAMPLES sets the number for each
 * operation, CONTRACT_SEED selects other requests, CONTRACT_MINUTES limits the time for one contract.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DEMO_TEMPLATES } from '../../sandbox/seeds.js';
import { createProduct, type Product } from '../crash/product.js';
import { fromPyPI } from '../real/servers/pypi.js';
import { freePort } from '../support/free-port.js';
import { runSchemathesis, SCHEMATHESIS } from './schemathesis.js';
import { makeWorkspace, type Workspace } from './workspace.js';

const EXAMPLES = Number(process.env['CONTRACT_EXAMPLES'] ?? 200);
const SEED = Number(process.env['CONTRACT_SEED'] ?? 20_261_123);
const MINUTES = Number(process.env['CONTRACT_MINUTES'] ?? 30);
/** Values for `{name}` in a path: the name of a sandbox template, and that of a projection. */
const NAMES = { public: DEMO_TEMPLATES[0]!.name, admin: 'orders' } as const;
/** Lines with level error or fatal in the product's log. */
const ERROR_LINE = /^\{"level":[56]0,.*$/gm;

describe(`the contracts, CONTRACT_SEED=${SEED}, ${EXAMPLES} examples for each operation`, () => {
  const adminToken = randomBytes(24).toString('hex');
  let folder: string | undefined;
  let python: string;
  let url: string;
  let product: Product | undefined;
  let workspace: Workspace;

  before(async function () {
    try {
      ({ python } = await fromPyPI(
        "The contracts can't be tried here",
        SCHEMATHESIS.replace('==', '-'),
        SCHEMATHESIS,
      ));
    } catch (error) {
      console.log(`      SKIPPED: contract: ${(error as Error).message}`);
      return this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'recado-contract-'));
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    product = createProduct({
      url,
      env: {
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
        DEMO: 'off',
        RATE_LIMIT_READS_PER_MINUTE: 'off',
        RATE_LIMIT_SENDS_PER_MINUTE: 'off',
        RECADO_ADMIN_TOKEN: adminToken,
        // The endpoint of its webhooks is the product itself, which refuses them.
        WEBHOOK_ALLOW_PRIVATE: 'on',
        LOG_LEVEL: 'warn',
      },
      logPath: join(folder, 'product.log'),
      loadAhead: false,
    });
    await product.start();
    workspace = await makeWorkspace(url, adminToken);
  });

  after(async () => {
    await product?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  for (const contract of ['public', 'admin'] as const) {
    it(`finds nothing in the ${contract} one, and no error in the log`, async () => {
      const requests = await runSchemathesis(python, {
        contract,
        url,
        token: contract === 'public' ? workspace.apiKey : adminToken,
        known: { ...workspace.known, name: NAMES[contract] },
        examples: EXAMPLES,
        seed: SEED,
        seconds: MINUTES * 60,
        folder: folder!,
      });
      console.log(`      ${requests} requests`);
      const errors = readFileSync(join(folder!, 'product.log'), 'utf8').match(ERROR_LINE) ?? [];
      expect(errors, errors.slice(0, 20).join('\n')).to.deep.equal([]);
    });
  }
});
