/**
 * The package `@recado/client` as others get it: its types are those of the contract, its tarball holds what it needs,
 * and programs of integrators run with it against a started product. So do the same programs without a client.
 */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { freePort } from '../support/free-port.js';
import { eventually } from '../support/e2e/eventually.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { projectFile } from '../support/root.js';
import { openClientProject, PACKAGE } from './client-project.js';
import { CLIENT_TYPES, clientTypes, CONSOLE_TYPES, consoleTypes } from '../tools/client-types.js';

const run = promisify(execFile);

describe('@recado/client', () => {
  let project: string;
  let remove: () => void;
  before(async () => {
    ({ folder: project, remove } = await openClientProject());
    // What a project in TypeScript has beside the client.
    mkdirSync(join(project, 'node_modules/@types'));
    for (const name of [
      '@types/node',
      'undici-types',
      'typescript',
      'tsx',
      'esbuild',
      'get-tsconfig',
      'resolve-pkg-maps',
    ]) {
      try {
        symlinkSync(projectFile(`node_modules/${name}`), join(project, 'node_modules', name));
      } catch {
        // Not every version of a tool has the same parts.
      }
    }
  });
  after(() => remove());

  const written = (name: string, text: string): string => {
    writeFileSync(join(project, name), text);
    return name;
  };
  const tsc = async (...options: string[]): Promise<string> => {
    const all = [projectFile('node_modules/typescript/bin/tsc'), '--noEmit', '--strict', ...options];
    return run(process.execPath, all, { cwd: project }).then(
      () => '',
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
  };
  const USE = 'new Recado({ apiKey: "key", baseUrl: "http://127.0.0.1:1/api/v1" }).contacts.list()';

  it('has the types of the contract', () => {
    expect(readFileSync(CLIENT_TYPES, 'utf8') === clientTypes(), 'run `npm run client:types`').to.equal(true);
  });

  it('has a sister in the console, with the types of the admin contract', () => {
    expect(readFileSync(CONSOLE_TYPES, 'utf8') === consoleTypes(), 'run `npm run client:types`').to.equal(
      true,
    );
  });

  it('holds its code, its types and its page, and nothing else', () => {
    const root = join(project, 'node_modules/@recado/client');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.\w+$/.test(name),
    );
    const sources = readdirSync(join(PACKAGE, 'src')).map((name) => name.replace(/\.ts$/, ''));
    const compiled = ['esm', 'cjs'].flatMap((kind) =>
      sources.flatMap((name) => [`dist/${kind}/${name}.js`, `dist/${kind}/${name}.d.ts`]),
    );
    const rest = ['README.md', 'package.json', 'dist/cjs/package.json'];
    expect(files).to.have.members([...compiled, ...rest]);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(dependencies).to.equal(undefined);
  });

  it('works as a module and in CommonJS', async () => {
    const esm = written(
      'esm.mjs',
      `import { Recado } from '@recado/client'; console.log(typeof ${USE}.page)`,
    );
    const cjs = written(
      'cjs.cjs',
      `const { Recado } = require('@recado/client'); console.log(typeof ${USE}.page)`,
    );
    for (const file of [esm, cjs]) {
      expect((await run(process.execPath, [file], { cwd: project })).stdout).to.equal('function\n');
    }
  });

  it('needs nothing of Node.js: only what workers, Deno and Bun have too', () => {
    for (const kind of ['esm', 'cjs']) {
      const code = join(project, 'node_modules/@recado/client/dist', kind);
      for (const name of readdirSync(code).filter((each) => each.endsWith('.js'))) {
        const text = readFileSync(join(code, name), 'utf8');
        expect(text, name).to.not.match(/\b(?:from|require\()\s*['"](?!\.\/)|\b(?:process|Buffer)\./);
      }
    }
  });

  describe('in TypeScript', () => {
    const start = `import { Recado, ApiError, type WebhookEvent } from '@recado/client';
const recado = new Recado({ apiKey: 'key', baseUrl: 'https://recado.example/api/v1' });
`;
    const RIGHT = `${start}
export async function right(event: WebhookEvent): Promise<string | null> {
  const { data, requestId } = await recado.contacts.get('c');
  const name: string | null | undefined = data.name;
  const id: string | null = requestId;
  for await (const product of recado.store.products.list({ limit: 10 })) product.price.toUpperCase();
  const { data: flow } = await recado.request('GET', '/flows/{flow_uuid}', { path: { flow_uuid: 'f' } });
  try {
    await recado.messages.send({ recipient: { phone: '+5511987650001' }, type: 'text', content: { text: 'Olá' } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'recipient_opted_out') return error.requestId;
    if (error instanceof ApiError && error.code === 'a_code_of_tomorrow') return null;
  }
  if (event.type === 'order.created') return String(event.data.order.number);
  return name ?? id ?? flow.name;
}
`;
    for (const [what, options] of [
      ['modules', ['--module', 'NodeNext', '--moduleResolution', 'NodeNext', '--target', 'ES2022']],
      [
        'CommonJS',
        [
          '--module',
          'CommonJS',
          '--moduleResolution',
          'Node10',
          '--target',
          'ES2022',
          '--esModuleInterop',
          '--skipLibCheck',
        ],
      ],
      [
        'a bundler',
        [
          '--module',
          'ESNext',
          '--moduleResolution',
          'Bundler',
          '--target',
          'ES2022',
          '--lib',
          'ES2022,DOM',
          '--skipLibCheck',
        ],
      ],
    ] as const) {
      it(`compiles right programs for ${what}`, async () => {
        expect(await tsc(...options, written('right.ts', RIGHT))).to.equal('');
      });
    }

    it('refuses wrong programs, each in its own line', async () => {
      const wrong = [
        `recado.contacts.get();`,
        `recado.contacts.get(7);`,
        `recado.contacts.list({ limt: 10 });`,
        `recado.messages.send({ recipient: {}, type: 'text', content: { text: 'Olá' } });`,
        `recado.messages.send({ recipient: { phone: '+1' }, type: 'text', content: { body: 'Olá' } });`,
        `recado.operations.wait('o').then(({ result }) => result.text);`,
        `recado.messages.send({ recipient: { phone: '+1' }, type: 'image', content: { text: 'Olá' } });`,
        `recado.store.orders.move('o', 'novo');`,
        `recado.store.products.import([{ name: 'A', price: '1.00' }]);`,
        `recado.request('GET', '/nothing', {});`,
        `recado.request('POST', '/contacts/{contact_uuid}', { path: { contact_uuid: 'c' } });`,
        `recado.request('GET', '/contacts/{contact_uuid}', {});`,
        `recado.request('GET', '/contacts/{contact_uuid}', { path: { uuid: 'c' } });`,
        `recado.contacts.get('c').then(({ data }) => data.nome);`,
        `export const order = (event: WebhookEvent) => event.data.order;`,
        `export const kind = (event: WebhookEvent) => event.type === 'order.creatd';`,
      ];
      const before = start.split('\n').length;
      const output = await tsc(
        '--module',
        'NodeNext',
        '--moduleResolution',
        'NodeNext',
        '--target',
        'ES2022',
        '--skipLibCheck',
        written('wrong.ts', [start, ...wrong].join('\n')),
      );
      const lines = new Set([...output.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line)));
      expect([...lines].map((line) => wrong[line - before - 1])).to.have.members(wrong);
    });
  });

  describe('programs of integrators', () => {
    let product: Product;
    let running: ChildProcess | undefined;
    beforeEach(async () => {
      product = await startProduct();
    });
    afterEach(async () => {
      running?.kill();
      if (running?.exitCode === null && running.signalCode === null) await once(running, 'exit');
      running = undefined;
      await product.close();
    });

    /** What a program has printed; its lines come as it prints them. */
    function started(
      command: string,
      parameters: readonly string[],
      port: number,
    ): { readonly lines: string[] } {
      const child = spawn(command, parameters, {
        cwd: project,
        env: {
          ...process.env,
          RECADO_URL: product.api.url,
          RECADO_API_KEY: product.key,
          RECADO_WEBHOOK_SECRET: product.running.credentials['webhook_secret'],
          PORT: String(port),
        },
      });
      running = child;
      const lines: string[] = [];
      for (const stream of [child.stdout, child.stderr]) {
        createInterface(stream).on('line', (line) => lines.push(line));
      }
      return { lines };
    }

    /** @throws Error with all that it printed */
    const said = (lines: readonly string[], text: string): Promise<unknown> =>
      eventually(
        () => {
          if (lines.some((line) => line.includes(text))) return true;
          throw new Error(lines.join('\n'));
        },
        { timeoutMs: 30_000, what: text },
      );

    async function answersCustomers(lines: readonly string[], port: number): Promise<void> {
      const url = `http://127.0.0.1:${port}/hook`;
      const forged = {
        method: 'POST',
        body: '{"type":"message.received"}',
        headers: { 'service-timestamp': '1' },
      };
      const refusesIt = async (): Promise<boolean> => {
        const { status } = await fetch(url, { ...forged, signal: AbortSignal.timeout(5_000) });
        return status === 400;
      };
      await eventually(refusesIt, { what: 'a forged webhook is refused' });
      await product.subscribe(url);
      product.reply('+5511987001103', 'Tem caneca?', 'Cliente 3');
      await said(lines, 'answered: +5511987001103');
      const conversation = await product.conversationWith('+5511987001103');
      await eventually(
        async () => {
          const messages = await product.messages(conversation);
          return messages.some(({ direction }) => direction === 'outbound');
        },
        { what: 'the answer in the conversation' },
      );
    }

    async function filled(lines: readonly string[]): Promise<void> {
      await said(lines, 'products: 500 created, 0 unchanged, 0 failed');
      await said(lines, 'contacts: 20');
      await said(lines, 'template: Olá Ana, seu pedido 1042 foi confirmado. Obrigado!');
      expect(await product.get('/store')).to.include({ product_count: (await countBefore) + 500 });
    }
    let countBefore: Promise<number>;
    beforeEach(() => {
      countBefore = product
        .get<{ product_count: number }>('/store')
        .then(({ product_count: count }) => count);
    });

    const place = (source: string): string => {
      const name = source.split('/').at(-1)!;
      copyFileSync(projectFile(source), join(project, name));
      return name;
    };
    const missing = (command: string): boolean => {
      if (spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0) return false;
      console.log(`      SKIPPED: ${command} is not installed here`);
      return true;
    };

    it('with the client', async () => {
      const port = await freePort();
      written('package.json', '{ "private": true, "type": "module" }');
      const options = [
        '--module',
        'NodeNext',
        '--moduleResolution',
        'NodeNext',
        '--target',
        'ES2022',
        '--skipLibCheck',
      ];
      expect(await tsc(...options, '--types', 'node', place('examples/shop.ts'))).to.equal('');
      const { lines } = started(process.execPath, ['--import', 'tsx', 'shop.ts'], port);
      await filled(lines);
      await said(lines, `listening: ${port}`);
      await answersCustomers(lines, port);
    });

    it('in Python without one', async function () {
      if (missing('python3')) return this.skip();
      const port = await freePort();
      place('clients/verify/python/recado_webhooks.py');
      const { lines } = started('python3', ['-B', place('examples/shop.py')], port);
      await filled(lines);
      await said(lines, `listening: ${port}`);
      await answersCustomers(lines, port);
    });

    it('in PHP without one', async function () {
      if (missing('php')) return this.skip();
      const port = await freePort();
      place('clients/verify/php/recado_webhooks.php');
      const program = place('examples/shop.php');
      const { lines } = started('php', [program], port);
      await filled(lines);
      const server = started('php', ['-S', `127.0.0.1:${port}`, program], port);
      await answersCustomers(server.lines, port);
    });
  });
});
