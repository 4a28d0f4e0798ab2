/**
 * Restore test: a system runs, is copied, continues, is lost, and is restored from the copy. The test checks what the
 * outside saw of both lives together: no person is sent anything twice, no webhook is repeated with another body, and
 * no flow hangs.
 */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { newId } from '../../adapters/clock/system.js';
import { checkBackup, restoreInto } from '../../adapters/embedded/restore.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import type { Sandbox } from '../../sandbox/types.js';
import { createFlow } from '../../application/flows/manage.js';
import { publishFlow } from '../../application/flows/publish.js';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { changeSending } from '../../application/provisioning/sending.js';
import { RESTORE_STREAM, restoredRecord } from '../../application/restore/horizon.js';
import { ConfigError } from '../../runtime/config.js';
import { markServers } from '../../runtime/backup/mark-restored.js';
import { run, type Ran } from '../cli/run.js';
import { drivenClock, type DrivenClock } from '../support/e2e/driven-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import {
  APP_SECRET,
  DEMO_NUMBER,
  freshKey,
  realStack,
  startProduct,
  type OperationBody,
  type Product,
} from '../support/e2e/product.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/e2e/receiver.js';
import { REAL_STACK } from '../support/e2e/stack.js';
import { deliveries } from '../../read-models/deliveries.js';

const KEY = { RECADO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
const caller = { actor: 'test' };
const GREETED = '+5511955560001';
const ASKED = '+5511955560002';
const RESTING = '+5511955560003';
const STOPPED = '+5511955560004';
const LATER = '+5511955560005';
const REST_MS = 20_000;

/** A way to move the history from one life of the system to the next. */
interface Way {
  readonly name: string;
  /** Copies a running product. */
  copy(product: Product, to: string): Promise<void>;
  /** Restores into a folder that must not exist yet. */
  restore(from: string, dataDir: string, clock: DrivenClock): Promise<void>;
}

const recado = ({ running }: Product, ...args: string[]): Promise<Ran> =>
  run(args, {
    env: {
      RECADO_ADMIN_URL: running.credentials['admin_url']!,
      RECADO_ADMIN_TOKEN: running.credentials['admin_token']!,
    },
  });

const BACKUP: Way = {
  name: 'a backup',
  async copy(product, to) {
    await product.running.core.embedded!.backup({ target: `${to}.db` });
  },
  async restore(from, dataDir, clock) {
    const source = { file: `${from}.db`, blobsDir: null, expected: null };
    const data = { source: 'backup', nothing_ran_since: false } as const;
    // Does the same as the `recado restore` program, but by the test's clock.
    const record = restoredRecord(data, { now: clock.now(), newId });
    restoreInto(dataDir, source, checkBackup(source), { stream: RESTORE_STREAM, record });
  },
};

const EXPORT: Way = {
  name: 'an exact export',
  async copy(product, to) {
    const exported = await recado(product, 'events', 'export', '--out', to, '--exact');
    expect(exported.code, exported.stderr).to.equal(0);
  },
  async restore(from, dataDir, clock) {
    const empty = await startProduct({ ...KEY, HISTORY_IMPORT: 'on' }, dataDir, { clock });
    const imported = await recado(empty, 'events', 'import', from);
    expect(imported.code, imported.stderr).to.equal(0);
    await empty.stop();
  },
};

describe('a restore', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let folder: string;
  let clock: DrivenClock;
  let sandbox: Sandbox;
  let receiver: WebhookReceiver;
  let product: Product;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recado-drill-'));
    clock = drivenClock();
    sandbox = await startSandbox({ appSecret: APP_SECRET, webhookUrl: null, clock });
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await (product as Product | undefined)?.stop().catch(() => undefined);
    await Promise.all([sandbox.close(), receiver.close()]);
    await rm(folder, { recursive: true });
  });

  /** On servers, the folder's name identifies the product's data. */
  const dataDirOf = (name: string): string => join(folder, `${basename(folder)}-${name}`);
  /** @param more settings; only the first life creates the demo, a later one has it in its history */
  async function live(name: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const env = { ...KEY, WHATSAPP_API_URL: sandbox.url, WEBHOOK_ALLOW_PRIVATE: 'true', ...more };
    product = await startProduct(env, dataDirOf(name), { clock });
    sandbox.setWebhookUrl(`${product.running.url}/providers/whatsapp/webhooks`);
  }
  const id = (name: string): string => product.running.credentials[name]!;
  const stopChannel = (all: boolean) =>
    changeSending(product.app, { channelUuid: channel, stopped: all ? 'everything' : 'nothing' }, caller);
  const say = (phone: string, text: string) =>
    sandbox.reply({ phoneNumberId: DEMO_NUMBER, from: phone, text });
  const told = (phone: string): readonly unknown[] =>
    sandbox.calls
      .filter(({ body }) => String(body['to']).replace(/^\+/, '') === phone.slice(1))
      .map(({ body }) => (body['text'] as { body?: string } | undefined)?.body);
  const hears = (phone: string, text: string) =>
    eventually(() => told(phone).includes(text), { clock, what: `"${text}" to ${phone}` });
  const inStatus = (uuid: string, status: string, key?: string): Promise<OperationBody> =>
    eventually(
      async () => {
        const { body } = await product.ask('GET', `/operations/${uuid}`, key === undefined ? {} : { key });
        const operation = body.data as OperationBody;
        if (operation.status === status) return operation;
        throw new Error(`it is ${operation.status} ${JSON.stringify(operation.error)}`);
      },
      { clock, what: `status ${status} of ${uuid}` },
    );
  /** Waits until no work is left, neither in the workers nor among the deliveries to integrators. */
  const quiet = (): Promise<unknown> =>
    eventually(
      async () => {
        const lags = Object.values(await product.running.workers!.lags());
        const pending = await product.app.readModels.count(deliveries.name, 'by_endpoint_status', [
          endpoint,
          'pending',
        ]);
        return lags.every((lag) => lag === 0) && pending === 0;
      },
      { clock, what: 'workers that have nothing to do' },
    );
  let channel: string;
  let endpoint: string;

  async function listen(): Promise<void> {
    const integrationUuid = id('integration_uuid');
    const added = await addWebhookEndpoint(product.app, { integrationUuid, url: receiver.url }, caller);
    endpoint = added.endpointUuid;
  }

  async function flow(blocks: Readonly<Record<string, object>>, more: object = {}): Promise<string> {
    const definition = { schema: 1, start: Object.keys(blocks)[0], blocks, ...more };
    const made = await createFlow(
      product.app,
      { companyUuid: id('company_uuid'), name: 'Fluxo', definition },
      caller,
    );
    await publishFlow(product.app, made.flowUuid, caller);
    return made.flowUuid;
  }
  async function begun(flowUuid: string, phone: string): Promise<string> {
    const answer = await product.ask('POST', `/flows/${flowUuid}/executions`, {
      headers: { 'idempotency-key': freshKey() },
      json: { recipient: { phone } },
    });
    expect(answer.status, answer.text).to.equal(202);
    return (answer.body.data as OperationBody).uuid;
  }

  for (const way of REAL_STACK ? [EXPORT] : [BACKUP, EXPORT]) {
    it(`from ${way.name} repeats nothing, changes nothing that was told, and leaves no flow behind`, async () => {
      await live('first');
      channel = id('channel_uuid');
      const { key } = product;
      await listen();
      await flow(
        { hi: { type: 'send_text', text: 'Olá', next: null } },
        { triggers: [{ on: 'keyword', words: ['oi'] }] },
      );
      const asking = await flow({
        ask: { type: 'ask', text: 'Quantos?', save_as: 'n', timeout: '1h', next: 'thanks' },
        thanks: { type: 'send_text', text: 'Obrigado', next: null },
      });
      const resting = await flow({
        rest: { type: 'wait', for: `${REST_MS / 1000}s`, next: 'later' },
        later: { type: 'send_text', text: 'Depois', next: null },
      });
      say(GREETED, 'oi');
      await hears(GREETED, 'Olá');
      const asked = await begun(asking, ASKED);
      await inStatus(asked, 'waiting');
      await quiet();
      await stopChannel(true);
      // The stop takes effect within about a second. Until then sends still go out, so repeat until one waits.
      const stopped = await eventually(
        async () => {
          const uuid = await product.accepted(STOPPED);
          const status = await eventually(
            async () => {
              const operation = await product.operation(uuid);
              return ['waiting', 'succeeded'].includes(operation.status) && operation.status;
            },
            // A send that was accepted just before the stop appears as waiting only after the sweeper has found it.
            { clock, timeoutMs: 120_000 },
          );
          return status === 'waiting' && uuid;
        },
        { clock, what: 'a send that waits for its channel' },
      );
      const rested = await begun(resting, RESTING);
      await inStatus(rested, 'waiting');
      await way.copy(product, join(folder, 'copy'));

      // The first life continues after the copy; this part of its history will be lost.
      await stopChannel(false);
      expect((await product.settled(stopped)).status).to.equal('succeeded');
      await hears(RESTING, 'Depois');
      say(ASKED, 'Dois');
      await hears(ASKED, 'Obrigado');
      say(LATER, 'oi');
      await hears(LATER, 'Olá');
      await quiet();
      await product.stop();
      const before = { calls: sandbox.calls.length, webhooks: receiver.deliveries.length };

      await way.restore(join(folder, 'copy'), dataDirOf('second'), clock);
      await live('second', { DEMO: 'off' });
      await stopChannel(false);
      await clock.advance(5_000);
      await quiet();
      expect(sandbox.calls.length).to.equal(before.calls);
      const held = (await recado(product, 'operations', 'list', '--held', '--json')).json<
        readonly { readonly uuid: string; readonly kind: string }[]
      >();
      const kinds = new Map(held.map(({ uuid, kind }) => [uuid, kind]));
      expect([kinds.get(stopped), kinds.get(rested), kinds.get(asked)]).to.deep.equal([
        'send',
        'flow',
        undefined,
      ]);
      const { findings } = await examined();
      expect(findings.filter(({ check }) => check === 'held')).to.have.length(1);

      // New work runs normally after the restore.
      say('+5511955560006', 'oi');
      await hears('+5511955560006', 'Olá');
      const fresh = await product.ask('POST', '/messages', {
        key,
        headers: { 'idempotency-key': 'after-the-restore' },
        json: { recipient: { phone: '+5511955560007' }, type: 'text', content: { text: 'Oi' } },
      });
      await inStatus((fresh.body.data as OperationBody).uuid, 'succeeded', key);

      const ended = await recado(product, 'operations', 'end', '--held', '--json');
      expect(ended.json()).to.include({ left: 0 });
      for (const uuid of [stopped, rested]) {
        expect((await inStatus(uuid, 'failed', key)).error!.code).to.equal('send_outcome_unknown');
      }
      await quiet();

      const operations = sandbox.calls.map(({ body }) => body['biz_opaque_callback_data']);
      expect(operations).to.deep.equal([...new Set(operations)]);
      expect([told(GREETED), told(RESTING), told(LATER)]).to.deep.equal([['Olá'], ['Depois'], ['Olá']]);
      const bodies = new Set(receiver.deliveries.map(({ raw }) => raw.toString()));
      expect(bodies.size).to.equal(new Set(receiver.deliveries.map(({ event }) => event.id)).size);
      // No event of before the restore is delivered again, not even with the same body.
      const [first, second] = [
        receiver.deliveries.slice(0, before.webhooks),
        receiver.deliveries.slice(before.webhooks),
      ];
      const known = new Set(first.map(({ event }) => event.id));
      expect(second.filter(({ event }) => known.has(event.id))).to.deep.equal([]);
      expect(second.length).to.be.greaterThan(0);

      // Must be last: the clock jumps by an hour, and webhooks in transit would then arrive too late.
      if (clock.driven) {
        const { length } = sandbox.calls;
        await clock.advance(3_600_000);
        expect((await inStatus(asked, 'succeeded', key)).result).to.include({ status: 'expired' });
        expect(sandbox.calls).to.have.length(length);
      }
      expect(product.errors).to.deep.equal([]);
    });
  }

  if (REAL_STACK) {
    it('of servers is refused until it is marked, and then repeats nothing of what was told', async () => {
      await live('first');
      await listen();
      await flow(
        { hi: { type: 'send_text', text: 'Olá', next: null } },
        { triggers: [{ on: 'keyword', words: ['oi'] }] },
      );
      say(GREETED, 'oi');
      await hears(GREETED, 'Olá');
      await eventually(() => receiver.deliveries.length > 5, {
        what: 'webhooks of a message and its statuses',
      });
      await quiet();
      await product.stop();
      const before = { calls: sandbox.calls.length, webhooks: receiver.deliveries.length };

      const settings = realStack(basename(dataDirOf('first')));
      const mongo = await MongoClient.connect(settings['MONGODB_URL']!);
      for (const { name } of await mongo.db().listCollections().toArray()) {
        if (name !== 'personal_keys') await mongo.db().dropCollection(name);
      }
      await mongo.close();
      const refused = await live('first', { DEMO: 'off' }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refused).to.be.instanceOf(ConfigError);
      expect((refused as Error).message).to.include('recado restore --mark');

      await markServers({ ...KEY, ...settings }, false);
      await live('first', { DEMO: 'off' });
      // Read models are rebuilt from the history; they start empty.
      const head = await product.app.store.head();
      await eventually(() => product.app.readModelsReached(head, 1_000), { what: 'the read models' });
      say(LATER, 'oi');
      await hears(LATER, 'Olá');
      await quiet();
      expect(told(GREETED)).to.deep.equal(['Olá']);
      expect(sandbox.calls.length).to.equal(before.calls + 1);
      const known = new Set(receiver.deliveries.slice(0, before.webhooks).map(({ event }) => event.id));
      const more = receiver.deliveries.slice(before.webhooks);
      expect(more.filter(({ event }) => known.has(event.id))).to.deep.equal([]);
      expect(more.length).to.be.greaterThan(0);
    });
  }

  async function examined(): Promise<{ readonly findings: readonly { readonly check: string }[] }> {
    const answer = await fetch(`${id('admin_url')}/doctor`, {
      headers: { authorization: `Bearer ${id('admin_token')}` },
    });
    return ((await answer.json()) as { data: { findings: readonly { check: string }[] } }).data;
  }
});
