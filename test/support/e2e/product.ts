/**
 * The whole product in this process, on a free port and in a temporary folder. Every response is checked against the
 * contract.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DEMO_PHONE_NUMBER_ID } from '../../../sandbox/seeds.js';
import type { Sandbox } from '../../../sandbox/types.js';
import type { App } from '../../../application/app.js';
import { addWebhookEndpoint } from '../../../application/provisioning/webhooks.js';
import { changeMarketingSettings } from '../../../application/provisioning/companies.js';
import { changeSending } from '../../../application/provisioning/sending.js';
import type { Stopped } from '../../../domain/channel-controls/state.js';
import { readConfig } from '../../../runtime/config.js';
import { start, type Running } from '../../../runtime/start.js';
import { openRealStack } from '../../../runtime/stores/real.js';
import type { Logger } from '../../../ports/logger.js';
import { ask, dataOf, type Answer, type Ask } from '../api/client.js';
import type { MessageBody, OperationBody } from './bodies.js';
import type { DrivenClock } from './driven-clock.js';
import { eventually } from './eventually.js';
import { REAL_STACK } from './stack.js';
import { withDatabase } from '../mongo-url.js';

export type { MessageBody, OperationBody } from './bodies.js';

export const APP_SECRET = 'e2e-app-secret';

export interface Product {
  readonly running: Running;
  /**
   * The application with read-your-writes: after a command, its effects are readable at once, as with the admin API.
   */
  readonly app: App;
  /** Includes `/api/v1`. */
  readonly api: { readonly url: string };
  readonly key: string;
  /** These three belong to the demo. */
  readonly company: string;
  readonly integration: string;
  readonly channel: string;
  readonly dataDir: string;
  /** Waiting helpers advance this clock; undefined when time is real. */
  readonly clock: DrivenClock | undefined;
  /** The built-in sandbox; absent when the product uses another provider. */
  readonly sandbox: Sandbox;
  /** Errors logged so far. */
  readonly errors: readonly string[];
  ask(method: string, path: string, options?: Ask): Promise<Answer>;
  /** Returns the body of a GET request that must answer 200. */
  get<T = Row>(path: string): Promise<T>;
  /** Calls the admin API and returns its body. @throws on a refusal, or on a status other than the given one */
  admin<T = Row>(method: string, path: string, json?: object, status?: number): Promise<T>;
  /** Calls POST /messages; sends a text unless `body` says otherwise. */
  send(
    phone: string,
    more?: { readonly body?: object; readonly idempotencyKey?: string; readonly key?: string },
  ): Promise<Answer>;
  /** Sends and returns the operation's uuid. @throws when the send is not accepted */
  accepted(phone: string, more?: { readonly body?: object }): Promise<string>;
  /** Sends and waits until the operation has succeeded or failed. */
  sent(phone: string, more?: { readonly body?: object }): Promise<OperationBody>;
  operation(uuid: string): Promise<OperationBody>;
  /** Waits until the operation has this status. */
  inStatus(uuid: string, status: string): Promise<OperationBody>;
  /** Waits until the operation has succeeded or failed. */
  settled(uuid: string, timeoutMs?: number): Promise<OperationBody>;
  messages(conversationUuid: string): Promise<readonly MessageBody[]>;
  /** Waits until the message of a successful operation has this status. */
  messageStatus(operation: OperationBody, status: string): Promise<MessageBody>;
  /** Waits for the conversation with a phone number; returns its uuid. */
  conversationWith(phone: string): Promise<string>;
  /** The first contact found by a phone number. */
  contact<T = Row>(phone: string): Promise<T | undefined>;
  /** Simulates a message from a customer. */
  reply(from: string, text: string, name?: string): string;
  /** Changes the company's settings for MARKETING templates. */
  marketing(settings: Parameters<typeof changeMarketingSettings>[1]['settings']): Promise<unknown>;
  /** Sets which sends the operator stops on the channel. */
  stopSending(stopped: Stopped): Promise<unknown>;
  /** Creates a webhook endpoint of the integration at `url`; returns its uuid. */
  subscribe(url: string): Promise<string>;
  /** Waits until no worker has work left, or only the worker of this name when one is given. */
  quiet(worker?: string): Promise<unknown>;
  /** Ends the process, once; the folder remains. */
  stop(): Promise<void>;
  /** Ends the process and starts another one on the same folder. */
  restart(): Promise<Product>;
  /** Ends the process and removes the folder. */
  readonly close: () => Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;
interface Conversation {
  readonly uuid: string;
  readonly contact: { readonly phone: string } | null;
}

const BY = { actor: 'test' };
/** No client sends requests while a test stops its product, so it need not wait for them. */
const AT_REST = { noticeMs: 0, quietMs: 0 };

let keys = 0;
export const freshKey = (): string => `e2e-${process.pid}-${(keys += 1)}`;

export const DEMO_NUMBER = DEMO_PHONE_NUMBER_ID;

/**
 * With RECADO_E2E_STACK=real the same tests run on the servers of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS. The
 * folder's name prefixes this product's data on those servers. A restart finds that data again; other tests do not.
 */
export function realStack(name: string): Readonly<Record<string, string>> {
  if (!REAL_STACK) return {};
  return {
    EVENTSTORE_URL: process.env['EVENTSTORE_URL']!,
    EVENTSTORE_STREAM_PREFIX: `${name}.`,
    MONGODB_URL: withDatabase(process.env['MONGODB_URL']!, name),
    KAFKA_BROKERS: process.env['KAFKA_BROKERS']!,
    KAFKA_TOPIC_PREFIX: `${name}.`,
    KAFKA_PARTITIONS: '3',
    RECADO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    DEMO: 'on',
    // On the real stack a status passes through three servers, so it needs a longer window.
    RECONCILE_WINDOW_SECONDS: '8',
  };
}

/** `clock` drives both the product and its built-in sandbox. */
export async function startProduct(
  env: Readonly<Record<string, string>> = {},
  folder?: string,
  { clock }: { readonly clock?: DrivenClock } = {},
): Promise<Product> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'recado-e2e-')));
  const config = readConfig(
    {
      DATA_DIR: dataDir,
      PORT: '0',
      WHATSAPP_APP_SECRET: APP_SECRET,
      VALIDATE_RESPONSES: 'on',
      RATE_LIMIT_READS_PER_MINUTE: 'off',
      RATE_LIMIT_SENDS_PER_MINUTE: 'off',
      RECONCILE_WINDOW_SECONDS: '2',
      ...realStack(basename(dataDir)),
      ...env,
    },
    false,
  );
  const errors: string[] = [];
  const quiet = (): void => undefined;
  const logger: Logger = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (fields, message) => {
      const { err } = fields as { err?: unknown };
      errors.push(`${message}: ${err instanceof Error ? err.message : JSON.stringify(fields)}`);
    },
  };
  // Imported by the same loader as the test: errors of a second module instance would fail `instanceof` checks.
  const running = await start(config, logger, {
    openRealStack,
    ...(clock ? { clock } : {}),
  });
  const api = { url: `${running.url}/api/v1` };
  const { credentials } = running;
  let ended: Promise<void> | undefined;
  const key = credentials['api_key']!;

  const product: Product = {
    running,
    app: running.core.patientApp,
    api,
    key,
    company: credentials['company_uuid']!,
    integration: credentials['integration_uuid']!,
    channel: credentials['channel_uuid']!,
    dataDir,
    clock,
    get sandbox() {
      if (!running.sandbox) throw new Error('this product was pointed at another provider');
      return running.sandbox;
    },
    errors,
    ask: (method, path, options = {}) => ask(api, method, path, { key, ...options }),
    get: async (path) => dataOf(await product.ask('GET', path)),
    async admin<T>(method: string, path: string, json?: object, status?: number) {
      const answer = await fetch(`${credentials['admin_url']}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${credentials['admin_token']}`,
          'content-type': 'application/json',
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      const text = await answer.text();
      const expected = status === undefined ? answer.ok : answer.status === status;
      if (!expected) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      const { data, error } = JSON.parse(text || '{}') as { readonly data?: T; readonly error?: T };
      return (data ?? error) as T;
    },
    send: (phone, more = {}) =>
      product.ask('POST', '/messages', {
        key: more.key ?? key,
        headers: { 'idempotency-key': more.idempotencyKey ?? freshKey() },
        json: { recipient: { phone }, type: 'text', content: { text: 'Olá!' }, ...more.body },
      }),
    async accepted(phone, more) {
      const answer = await product.send(phone, more);
      if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
      return (answer.body.data as OperationBody).uuid;
    },
    sent: async (phone, more) => product.settled(await product.accepted(phone, more)),
    operation: (uuid) => product.get(`/operations/${uuid}`),
    inStatus: (uuid, status) =>
      eventually(
        async () => {
          const operation = await product.operation(uuid);
          if (operation.status === status) return operation;
          throw new Error(`it is ${operation.status} ${JSON.stringify(operation.error)}`);
        },
        { what: `status ${status} of operation ${uuid}` },
      ),
    settled: (uuid, timeoutMs = 15_000) =>
      eventually(
        async () => {
          const operation = await product.operation(uuid);
          if (operation.status === 'succeeded' || operation.status === 'failed') return operation;
          throw new Error(`it is ${operation.status}`);
        },
        { timeoutMs, clock, what: `the end of operation ${uuid}` },
      ),
    messages: (conversationUuid) => product.get(`/conversations/${conversationUuid}/messages`),
    messageStatus: ({ result }, status) =>
      eventually(
        async () => {
          const found = await product.messages(result!.conversation_uuid);
          const message = found.find(({ uuid }) => uuid === result!.message_uuid);
          if (message?.status === status) return message;
          throw new Error(`it is ${message?.status}`);
        },
        { clock, what: `status ${status} of message ${result!.message_uuid}` },
      ),
    conversationWith: (phone) =>
      eventually(async () => {
        const list = await product.get<Conversation[]>('/conversations?limit=100');
        return list.find(({ contact }) => contact?.phone === phone)?.uuid;
      }),
    async contact<T>(phone: string) {
      const [found] = await product.get<readonly T[]>(`/contacts?query=${encodeURIComponent(phone)}`);
      return found;
    },
    reply: (from, text, name) =>
      product.sandbox.reply({
        phoneNumberId: DEMO_NUMBER,
        from,
        text,
        ...(name === undefined ? {} : { name }),
      }),
    marketing: (settings) =>
      changeMarketingSettings(running.core.patientApp, { companyUuid: product.company, settings }, BY),
    stopSending: (stopped) =>
      changeSending(running.core.patientApp, { channelUuid: product.channel, stopped }, BY),
    async subscribe(url) {
      const endpoint = { integrationUuid: product.integration, url };
      return (await addWebhookEndpoint(running.core.patientApp, endpoint, BY)).endpointUuid;
    },
    quiet: (worker) =>
      eventually(
        async () => {
          const lags = await running.workers!.lags();
          return (worker === undefined ? Object.values(lags) : [lags[worker]]).every((lag) => lag === 0);
        },
        { what: `${worker ?? 'workers'} with nothing to do` },
      ),
    stop: () => (ended ??= running.stop(AT_REST)),
    async restart() {
      await product.stop();
      return startProduct(env, dataDir, clock ? { clock } : {});
    },
    async close() {
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return product;
}

/** Calls that the sandbox received for an operation. */
export const callsOf = (sandbox: Sandbox, operationUuid: string) =>
  sandbox.calls.filter(({ body }) => body['biz_opaque_callback_data'] === operationUuid);
