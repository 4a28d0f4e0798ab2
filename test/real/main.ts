/**
 * `npm run test:real [suite …]`: the suites of the product on real servers. Without arguments all of them.
 *
 * EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS and S3_ENDPOINT name servers that are there already.
 */
import { spawn } from 'node:child_process';
import { startControl } from './control.js';
import { findStack, type ServerName } from './stack.js';

interface Suite {
  readonly needs: readonly ServerName[];
  readonly files: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

const ALL: readonly ServerName[] = ['eventstore', 'mongodb', 'kafka'];
const ON_REAL = { RECADO_E2E_STACK: 'real' };

const SUITES: Readonly<Record<string, Suite>> = {
  conformance: {
    needs: [],
    files: [
      'test/conformance/*.int.ts',
      'test/adapters/eventstoredb/*.int.ts',
      'test/adapters/mongodb/*.int.ts',
      'test/adapters/kafka/*.int.ts',
      'test/adapters/blobs/*.int.ts',
    ],
  },
  e2e: { needs: ALL, files: ['test/e2e/*.e2e.ts'], env: ON_REAL, args: ['--timeout', '240000'] },
  faults: { needs: ALL, files: ['test/real/*.real.ts'], args: ['--timeout', '600000'] },
  crash: { needs: ALL, files: ['test/real/crash/*.crash.ts'], args: ['--timeout', '3600000'] },
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    say(`There is no suite ${unknown.join(', ')}. There are: ${Object.keys(SUITES).join(', ')}.`);
    return 2;
  }
  const stack = await findStack(process.env, say);
  const control = await startControl(stack);
  let failed = 0;
  try {
    const env = Object.assign({}, ...[...stack.found.values()].map((origin) => origin.env)) as Record<
      string,
      string
    >;
    for (const [name, suite] of Object.entries(SUITES)) {
      if (asked.length > 0 && !asked.includes(name)) continue;
      const lacking = suite.needs.filter((server) => stack.missing.has(server));
      say(`\n== real: ${name}`);
      if (lacking.length > 0) {
        say(`SKIPPED: it needs ${lacking.join(', ')}\n  1 pending`);
        continue;
      }
      failed += (await mocha(suite, { ...env, ...control.env, ...suite.env })) === 0 ? 0 : 1;
    }
  } finally {
    await control.close();
    await stack.stop();
  }
  return failed === 0 ? 0 : 1;
}

function mocha(suite: Suite, env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn('npx', ['mocha', ...(suite.args ?? []), ...suite.files], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

process.exitCode = await main(process.argv.slice(2));
