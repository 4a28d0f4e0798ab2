/** The whole product in this process, on a free port and a folder of its own, with every answer held to the contract. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DEMO_PHONE_NUMBER_ID } from '../../../adapters/whatsapp/sandbox/seeds.js';
import type { Sandbox } from '../../../adapters/whatsapp/sandbox/types.js';
import type { App } from '../../../application/app.js';
import { readConfig } from '../../../runtime/config.js';
import { start, type Running } from '../../../runtime/start.js';
import { openRealStack } from '../../../runtime/stores/real.js';
import type { Logger } from '../../../ports/logger.js';
import { ask, type Answer, type Ask } from '../api/client.js';
import type { DrivenClock } from './driven-clock.js';
import { eventually } from './eventually.js';
import { REAL_STACK } from './stack.js';
import { withDatabase } from '../mongo-url.js';

export const APP_SECRET = 'e2e-app-secret';

export interface OperationBody {
  readonly uuid: string;
  readonly status: string;
  /** ISO 8601. */
  readonly completed_at: string | null;
  readonly result: {
    readonly message_uuid: string;
    readonly conversation_uuid: string;
    readonly contact_uuid: string;
    readonly status: string;
    readonly text: string | null;
  } | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
}

export interface MessageBody {
  readonly uuid: string;
  readonly direction: string;
  readonly type: string;
  readonly status: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly provider_message_id: string | null;
}

export interface Product {
  readonly running: Running;
  /** What is done with it can be read when it is done, as with the admin API. */
  readonly app: App;
  /** With `/api/v1`. */
  readonly api: { readonly url: string };
  readonly key: string;
  readonly dataDir: string;
  /** What waits for the product moves it on; absent where time is real. */
  readonly clock: DrivenClock | undefined;
  /** The built-in one; a product that was pointed elsewhere has none. */
  readonly sandbox: Sandbox;
  /** Errors logged so far. */
  readonly errors: readonly string[];
  ask(method: string, path: string, options?: Ask): Promise<Answer>;
  /** POST /messages; a text unless the body says otherwise. */
  send(phone: string, more?: { readonly body?: object; readonly idempotencyKey?: string }): Promise<Answer>;
  /** Sends and answers the operation's uuid. @throws when it is not accepted */
  accepted(phone: string, more?: { readonly body?: object }): Promise<string>;
  operation(uuid: string): Promise<OperationBody>;
  /** Waits until it succeeded or failed. */
  settled(uuid: string, timeoutMs?: number): Promise<OperationBody>;
  messages(conversationUuid: string): Promise<readonly MessageBody[]>;
  /** Waits until the message of an operation that succeeded shows this status. */
  messageStatus(operation: OperationBody, status: string): Promise<MessageBody>;
  /** Ends the process; the folder stays. */
  stop(): Promise<void>;
  /** Ends the process and removes the folder. */
  close(): Promise<void>;
}

/** Nobody asks anything of a product that a test ends. */
const AT_REST = { noticeMs: 0, quietMs: 0 };

let keys = 0;
export const freshKey = (): string => `e2e-${process.pid}-${(keys += 1)}`;

export const DEMO_NUMBER = DEMO_PHONE_NUMBER_ID;

/**
 * With RECADO_E2E_STACK=real the same tests run on the servers of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS. The
 * folder names what belongs to this product there, so that a restart finds it again and other tests do not.
 */
function realStack(name: string): Readonly<Record<string, string>> {
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
  const key = running.credentials['api_key']!;

  const product: Product = {
    running,
    app: running.core.patientApp,
    api,
    key,
    dataDir,
    clock,
    get sandbox() {
      if (!running.sandbox) throw new Error('this product was pointed at another provider');
      return running.sandbox;
    },
    errors,
    ask: (method, path, options = {}) => ask(api, method, path, { key, ...options }),
    send: (phone, more = {}) =>
      ask(api, 'POST', '/messages', {
        key,
        headers: { 'idempotency-key': more.idempotencyKey ?? freshKey() },
        json: { recipient: { phone }, type: 'text', content: { text: 'Olá!' }, ...more.body },
      }),
    async accepted(phone, more) {
      const answer = await product.send(phone, more);
      if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
      return (answer.body.data as OperationBody).uuid;
    },
    async operation(uuid) {
      const answer = await product.ask('GET', `/operations/${uuid}`);
      if (answer.status !== 200) throw new Error(`no operation: ${answer.status} ${answer.text}`);
      return answer.body.data as OperationBody;
    },
    settled: (uuid, timeoutMs = 15_000) =>
      eventually(
        async () => {
          const operation = await product.operation(uuid);
          if (operation.status === 'succeeded' || operation.status === 'failed') return operation;
          throw new Error(`it is ${operation.status}`);
        },
        { timeoutMs, clock, what: `the end of operation ${uuid}` },
      ),
    async messages(conversationUuid) {
      const answer = await product.ask('GET', `/conversations/${conversationUuid}/messages`);
      if (answer.status !== 200) throw new Error(`no messages: ${answer.status} ${answer.text}`);
      return answer.body.data as readonly MessageBody[];
    },
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
    stop: () => running.stop(AT_REST),
    async close() {
      await running.stop(AT_REST);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return product;
}

/** Calls the sandbox got for an operation. */
export const callsOf = (sandbox: Sandbox, operationUuid: string) =>
  sandbox.calls.filter(({ body }) => body['biz_opaque_callback_data'] === operationUuid);
