/** The whole product in this process, on a free port and a folder of its own, with every answer held to the contract. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DEMO_PHONE_NUMBER_ID } from '../../../sandbox/seeds.js';
import type { Sandbox } from '../../../sandbox/types.js';
import type { App } from '../../../application/app.js';
import { addWebhookEndpoint } from '../../../application/provisioning/webhooks.js';
import { changeMarketingSettings } from '../../../application/provisioning/companies.js';
import { changeSending } from '../../../application/provisioning/sending.js';
import type { Stopped } from '../../../domain/sending/state.js';
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
  /** What is done with it can be read when it is done, as with the admin API. */
  readonly app: App;
  /** With `/api/v1`. */
  readonly api: { readonly url: string };
  readonly key: string;
  /** Of the demo, as are the integration and its channel. */
  readonly company: string;
  readonly integration: string;
  readonly channel: string;
  readonly dataDir: string;
  /** What waits for the product moves it on; absent where time is real. */
  readonly clock: DrivenClock | undefined;
  /** The built-in one; a product that was pointed elsewhere has none. */
  readonly sandbox: Sandbox;
  /** Errors logged so far. */
  readonly errors: readonly string[];
  ask(method: string, path: string, options?: Ask): Promise<Answer>;
  /** What GET answers with 200. */
  get<T = Row>(path: string): Promise<T>;
  /** What the admin API answers. @throws when it refuses, or with another status than the one named */
  admin<T = Row>(method: string, path: string, json?: object, status?: number): Promise<T>;
  /** POST /messages; a text unless the body says otherwise. */
  send(
    phone: string,
    more?: { readonly body?: object; readonly idempotencyKey?: string; readonly key?: string },
  ): Promise<Answer>;
  /** Sends and answers the operation's uuid. @throws when it is not accepted */
  accepted(phone: string, more?: { readonly body?: object }): Promise<string>;
  /** Sends and waits until it succeeded or failed. */
  sent(phone: string, more?: { readonly body?: object }): Promise<OperationBody>;
  operation(uuid: string): Promise<OperationBody>;
  /** Waits until an operation shows this status. */
  inStatus(uuid: string, status: string): Promise<OperationBody>;
  /** Waits until it succeeded or failed. */
  settled(uuid: string, timeoutMs?: number): Promise<OperationBody>;
  messages(conversationUuid: string): Promise<readonly MessageBody[]>;
  /** Waits until the message of an operation that succeeded shows this status. */
  messageStatus(operation: OperationBody, status: string): Promise<MessageBody>;
  /** Waits for the conversation with a phone; answers its uuid. */
  conversationWith(phone: string): Promise<string>;
  /** The contact that a phone finds first. */
  contact<T = Row>(phone: string): Promise<T | undefined>;
  /** A customer writes. */
  reply(from: string, text: string, name?: string): string;
  /** Changes the company's rules for MARKETING templates. */
  marketing(settings: Parameters<typeof changeMarketingSettings>[1]['settings']): Promise<unknown>;
  /** What the operator lets the channel send. */
  stopSending(stopped: Stopped): Promise<unknown>;
  /** Has the integration's webhooks sent there; answers the endpoint's uuid. */
  subscribe(url: string): Promise<string>;
  /** Waits until no worker has anything to do; of one kind, if it is named. */
  quiet(worker?: string): Promise<unknown>;
  /** Ends the process, once; the folder stays. */
  stop(): Promise<void>;
  /** Ends the process and starts another one on its folder. */
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
/** Nobody asks anything of a product that a test ends. */
const AT_REST = { noticeMs: 0, quietMs: 0 };

let keys = 0;
export const freshKey = (): string => `e2e-${process.pid}-${(keys += 1)}`;

export const DEMO_NUMBER = DEMO_PHONE_NUMBER_ID;

/**
 * With RECADO_E2E_STACK=real the same tests run on the servers of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS. The
 * folder names what belongs to this product there, so that a restart finds it again and other tests do not.
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
    // Statuses take their way through three servers.
    RECONCILE_WINDOW_SECONDS: '8',
  };
}

/** `clock`: the product's own, and that of its built-in sandbox. */
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
  // Loaded the way the rest of a test is: two instances of one module don't know each other's errors.
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

/** Calls the sandbox got for an operation. */
export const callsOf = (sandbox: Sandbox, operationUuid: string) =>
  sandbox.calls.filter(({ body }) => body['biz_opaque_callback_data'] === operationUuid);
