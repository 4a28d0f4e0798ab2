/** The programs in `examples/`, each run against a started product as its first lines say. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePort } from '../support/free-port.js';
import { eventually } from '../support/e2e/eventually.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { projectFile } from '../support/root.js';
import { openClientProject } from './client-project.js';

const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly output: string;
}

describe('examples', () => {
  let project: string;
  let remove: () => void;
  let product: Product;
  let running: ChildProcess | undefined;

  before(async () => {
    ({ folder: project, remove } = await openClientProject());
    symlinkSync(projectFile('node_modules/express'), join(project, 'node_modules/express'));
    for (const name of ['python/recado_webhooks.py', 'php/recado_webhooks.php'])
      copyFileSync(projectFile(`clients/verify/${name}`), join(project, name.split('/')[1]!));
    for (const folder of ['order-confirmation', 'erp-sync', 'webhooks'])
      for (const name of readdirSync(projectFile(`examples/${folder}`)).filter((one) => /\.\w+$/.test(one)))
        if (name !== 'package.json')
          copyFileSync(projectFile(`examples/${folder}/${name}`), join(project, name));
  });
  after(() => remove());
  beforeEach(async () => {
    product = await startProduct();
  });
  afterEach(async () => {
    running?.kill();
    if (running?.exitCode === null && running.signalCode === null) await once(running, 'exit');
    running = undefined;
    await product.close();
  });

  const env = (more: Readonly<Record<string, string>> = {}) => ({
    ...process.env,
    RECADO_URL: product.api.url,
    RECADO_API_KEY: product.key,
    RECADO_WEBHOOK_SECRET: product.running.credentials['webhook_secret'],
    ...more,
  });
  const ended = (command: string, parameters: readonly string[], more = {}): Promise<Ended> =>
    run(command, parameters, { cwd: project, env: env(more) }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    );
  function skipWithout(test: Mocha.Context, command: string, ...probe: readonly string[]): void {
    if (spawnSync(command, probe.length > 0 ? probe : ['--version'], { stdio: 'ignore' }).status === 0)
      return;
    console.log(`      SKIPPED: ${[command, ...probe].join(' ')} does not work here`);
    test.skip();
  }

  for (const [language, command, program] of [
    ['Node', process.execPath, 'confirm.mjs'],
    ['Python', 'python3', 'confirm.py'],
    ['PHP', 'php', 'confirm.php'],
  ] as const)
    it(`confirm an order once, in ${language}`, async function () {
      skipWithout(this, command);
      const confirmed = {
        code: 0,
        output: 'order 1042: Olá Ana, seu pedido 1042 foi confirmado. Obrigado!\n',
      };
      for (let time = 0; time < 2; time += 1)
        expect(await ended(command, [program, '1042', '+5511987001100', 'Ana'])).to.deep.equal(confirmed);
      const sent = await product.messages(await product.conversationWith('+5511987001100'));
      expect(sent.filter(({ direction }) => direction === 'outbound')).to.have.length(1);
      expect(sent[0]).to.deep.include({ metadata: { order_id: '1042' } });

      expect(await ended(command, [program, '1043', '11 98700-1100', 'Ana'])).to.deep.equal({
        code: 1,
        output: 'order 1043: not sent: validation_failed\n',
      });
      // The sandbox refuses this number: it has no WhatsApp.
      expect(await ended(command, [program, '1044', '+5511966131026', 'Ana'])).to.include({ code: 1 });
    });

  it('keep an ERP and the store in step', async () => {
    const write = (rows: readonly string[]) =>
      writeFileSync(join(project, 'erp.csv'), ['import_handle;name;price;stock', ...rows, ''].join('\n'));
    const sync = () => ended(process.execPath, ['sync.mjs', 'erp.csv', 'orders']);
    const stockOf = async (query: string): Promise<unknown> => {
      const [found] = await product.get<readonly { stock: number }[]>(`/store/products?query=${query}`);
      return found?.stock;
    };

    write(['caneca-roxa;Caneca roxa;39.90;12', 'bone-roxo;Boné roxo;69.00;4']);
    expect(await sync()).to.deep.equal({
      code: 0,
      output: 'orders: 0 new\nproducts: 2 created, 0 updated, 0 unchanged\n',
    });
    const [mug] = await product.get<readonly { uuid: string }[]>('/store/products?query=caneca-roxa');
    const order = await product.admin<{ uuid: string }>(
      'POST',
      `/companies/${product.company}/store/orders`,
      {
        items: [{ product_uuid: mug!.uuid, quantity: 2 }],
        customer: { name: 'Maria Souza', phone: '+5511987001100' },
        fulfillment: { type: 'pickup' },
        payment: { method: 'pix' },
      },
      201,
    );
    await eventually(async () => (await sync()).output.startsWith('orders: 1 new'), { what: 'the order' });
    const file: { number: number } = JSON.parse(
      readFileSync(join(project, 'orders', `${order.uuid}.json`), 'utf8'),
    ) as { number: number };
    expect(file.number).to.be.a('number');
    expect(await stockOf('caneca-roxa'), 'what was sold is not overwritten').to.equal(10);

    write(['caneca-roxa;Caneca roxa;42.90;10', 'bone-roxo;Boné roxo;caro;4']);
    const changed = await sync();
    expect(changed.code).to.equal(1);
    expect(changed.output).to.include('orders: 0 new\nproducts: 0 created, 1 updated, 0 unchanged\n');
    expect(changed.output).to.include('  refused: bone-roxo: ');

    write(['caneca-roxa;Caneca roxa;42.90;10', 'bone-roxo;Boné roxo;69.00;4']);
    rmSync(join(project, 'sync-state.json'));
    expect(await sync(), 'a state that was lost').to.deep.equal({
      code: 0,
      output: 'orders: 0 new\nproducts: 0 created, 0 updated, 2 unchanged\n',
    });
  });

  describe('receivers', () => {
    let inbox: string;
    beforeEach(() => {
      inbox = join(mkdtempSync(join(tmpdir(), 'recado-inbox-')), 'inbox');
    });
    afterEach(() => rmSync(join(inbox, '..'), { recursive: true, force: true }));

    function started(command: string, parameters: readonly string[], port: number): readonly string[] {
      const child = spawn(command, parameters, {
        cwd: project,
        env: env({ PORT: String(port), INBOX: inbox }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running = child;
      const lines: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        createInterface(stream).on('line', (line) => lines.push(line));
      return lines;
    }

    /** @param handled the lines that the program has printed of events so far */
    async function receives(port: number, handled: () => Promise<readonly string[]>): Promise<void> {
      const url = `http://127.0.0.1:${port}/hook`;
      const forged = {
        method: 'POST',
        body: '{"id":"forged","type":"message.received"}',
        headers: { 'service-timestamp': String(Math.floor(Date.now() / 1000)), 'service-signature': 'v1=00' },
      };
      await eventually(async () => (await fetch(url, forged)).status === 400, {
        what: 'a forged one is refused',
      });
      const endpoint = await product.subscribe(url);
      product.reply('+5511987001103', 'Tem caneca?', 'Cliente 3');
      const shown = async (text: string): Promise<readonly string[]> =>
        (await handled()).filter((line) => line.includes(text));
      await eventually(async () => (await shown('+5511987001103 wrote: Tem caneca?')).length === 1, {
        what: 'the event is handled',
      });

      const deliveries = await product.admin<readonly { id: string; event_type: string }[]>(
        'GET',
        `/deliveries?endpoint=${endpoint}`,
      );
      for (const { id } of deliveries)
        await product.admin('POST', `/deliveries/${id}/redeliver`, undefined, 202);
      await product.quiet();
      product.reply('+5511987001103', 'Azul, por favor.', 'Cliente 3');
      await eventually(async () => (await shown('wrote: Azul, por favor.')).length === 1, {
        what: 'the next',
      });
      expect(await shown('Tem caneca?'), 'an event that came twice').to.have.length(1);
      expect(await shown('forged')).to.be.empty;
    }

    it('with Express', async () => {
      const port = await freePort();
      const lines = started(process.execPath, ['express.mjs'], port);
      await receives(port, () => Promise.resolve(lines));
    });

    it('with Fastify', async function () {
      const wanted = JSON.parse(readFileSync(projectFile('examples/webhooks/package.json'), 'utf8')) as {
        readonly dependencies: { readonly fastify: string };
      };
      const quiet = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
      const place = mkdtempSync(join(tmpdir(), 'recado-fastify-'));
      try {
        writeFileSync(join(place, 'package.json'), '{ "private": true }');
        await run('npm', ['install', ...quiet, `fastify@${wanted.dependencies.fastify}`], { cwd: place });
      } catch (error) {
        console.log(`      SKIPPED: npm can't install Fastify here: ${String(error).split('\n')[0]}`);
        rmSync(place, { recursive: true, force: true });
        return this.skip();
      }
      symlinkSync(join(place, 'node_modules/fastify'), join(project, 'node_modules/fastify'));
      try {
        const port = await freePort();
        const lines = started(process.execPath, ['fastify.mjs'], port);
        await receives(port, () => Promise.resolve(lines));
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    });

    it('with Flask', async function () {
      skipWithout(this, 'python3', '-c', 'import flask');
      const port = await freePort();
      const flask = ['-B', '-m', 'flask', '--app', 'flask_app', 'run', '--port', String(port)];
      const lines = started('python3', flask, port);
      await receives(port, () => Promise.resolve(lines));
    });

    it('in plain PHP', async function () {
      skipWithout(this, 'php');
      const port = await freePort();
      started('php', ['-S', `127.0.0.1:${port}`, 'receiver.php'], port);
      let lines = '';
      await receives(port, async () => {
        const { code, output } = await ended('php', ['receiver.php'], { INBOX: inbox });
        expect(code, output).to.equal(0);
        lines += output;
        return lines.split('\n');
      });
    });
  });
});
