/** Five processes of the product on shared servers, with integrators, a provider and a receiver around them. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRealStack } from '../../../runtime/stores/real.js';
import { createChance, type Chance } from '../../crash/chance.js';
import { startIntegrators, type Integrators, type SeenAnswer } from '../../crash/integrator.js';
import { seenOutside } from '../../crash/facts.js';
import { judge } from '../../crash/judge.js';
import { createProduct, type Product } from '../../crash/product.js';
import { startProvider, type ProviderStandIn } from '../../crash/provider.js';
import { startReceiver, type ReceiverStandIn } from '../../crash/receiver.js';
import { makeWorkspace, type Workspace } from '../../crash/workspace.js';
import { eventually } from '../../support/e2e/eventually.js';
import { gateable, startGate, type Gate } from './gate.js';
import { readServers, waitingWork, type Env } from './history.js';
import { serverUrl } from './servers.js';
import { freePort } from '../../support/free-port.js';
import { withDatabase } from '../../support/mongo-url.js';

const APP_SECRET = 'real-app-secret';
const CUSTOMER_EVERY_MS = 1_000;
/** The system counts as working after this many messages were sent and their events delivered. */
const FLOW = 3;

export const ROLES_OF = {
  api1: 'api',
  api2: 'api',
  projections1: 'projections',
  projections2: 'projections',
  workers1: 'workers',
  workers2: 'workers',
  workers3: 'workers',
} as const;
export type ProcessName = keyof typeof ROLES_OF;

/** The processes that run from the start; the others run only when a test starts them. */
export const FIVE: readonly ProcessName[] = ['api1', 'api2', 'projections1', 'workers1', 'workers2'];

export interface Process extends Product {
  readonly name: ProcessName;
  /** Without a trailing slash. */
  readonly url: string;
}

export interface System {
  readonly env: Env;
  readonly chance: Chance;
  readonly provider: ProviderStandIn;
  readonly receiver: ReceiverStandIn;
  readonly workspace: Workspace;
  /** Gates between EventStoreDB and the processes that asked for one, where a gate is possible. */
  readonly gates: ReadonlyMap<ProcessName, Gate>;
  process(name: ProcessName): Process;
  /** Labels the messages that are accepted from now on, for the report. */
  during(what: string): void;
  /**
   * The same, for a fault that may lose an answer of the provider: the process that has the answer dies or is paused.
   */
  disturbed(what: string): void;
  /** Starts integrators and customers, which run until they are stopped. */
  load(options?: { readonly clients?: number; readonly onAnswer?: (answer: SeenAnswer) => void }): Load;
  /**
   * Resolves when new messages have been accepted and sent, and their events delivered.
   * @throws Error when that takes longer
   */
  flows(load: Load, timeoutMs: number): Promise<void>;
  /** Number of messages accepted so far. */
  accepted(): number;
  /** Waits until no work is left. */
  quiet(timeoutMs: number): Promise<void>;
  /** Ends the processes and returns the violations in the resulting data. */
  judge(): Promise<readonly string[]>;
  /** Log lines of level error and above so far, counted by message. */
  errors(): Readonly<Record<string, number>>;
  /** Everything that the processes wrote to standard output and standard error. */
  log(): string;
  close(): Promise<void>;
}

export interface Load {
  readonly integrators: Integrators;
  /** Resolves when every message that was started has been accepted. */
  finish(): Promise<void>;
}

export interface SystemOptions {
  readonly seed?: string;
  /** Default MONGODB_URL. */
  readonly mongoUrl?: string;
  /** Processes that reach EventStoreDB through a gate. */
  readonly gated?: readonly ProcessName[];
  readonly env?: Env;
  /** Variables of single processes, for example CLOCK_STEPS. */
  readonly envOf?: Readonly<Partial<Record<ProcessName, Env>>>;
  /** Builds of single processes, as folders: other releases. */
  readonly builds?: Readonly<Partial<Record<ProcessName, string>>>;
}

export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { seed = randomBytes(4).toString('hex'), mongoUrl = serverUrl('MONGODB_URL'), envOf = {} } = options;
  const name = `t${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  const dir = mkdtempSync(join(tmpdir(), 'recado-real-'));
  const logPath = join(dir, 'product.log');
  const chance = createChance(seed);
  const provider = await startProvider({ chance, appSecret: APP_SECRET });
  let secret = '';
  const receiver = await startReceiver({ chance, secret: () => secret });
  const eventStoreUrl = serverUrl('EVENTSTORE_URL');
  const env: Env = {
    DATA_DIR: join(dir, 'data'),
    DEMO: 'off',
    LOG_LEVEL: 'warn',
    EVENTSTORE_URL: eventStoreUrl,
    EVENTSTORE_STREAM_PREFIX: `${name}.`,
    MONGODB_URL: withDatabase(mongoUrl, name),
    KAFKA_BROKERS: serverUrl('KAFKA_BROKERS'),
    KAFKA_TOPIC_PREFIX: `${name}.`,
    KAFKA_PARTITIONS: '4',
    RECADO_MASTER_KEY: randomBytes(32).toString('base64'),
    RECADO_ADMIN_TOKEN: randomBytes(16).toString('hex'),
    WHATSAPP_API_URL: provider.url,
    WHATSAPP_APP_SECRET: APP_SECRET,
    WHATSAPP_TIMEOUT_SECONDS: '5',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    CHANNEL_RATE_PER_SECOND: 'off',
    RECIPIENT_PACING: 'off',
    RATE_LIMIT_READS_PER_MINUTE: 'off',
    RATE_LIMIT_SENDS_PER_MINUTE: 'off',
    // Longer than any fault here delays the reading of a status.
    RECONCILE_WINDOW_SECONDS: '90',
    REPUBLISH_AFTER_SECONDS: '15',
    CONNECT_TIMEOUT_SECONDS: '30',
    ...options.env,
  };

  const gates = new Map<ProcessName, Gate>();
  if (gateable(eventStoreUrl)) {
    for (const gated of options.gated ?? []) gates.set(gated, await startGate(eventStoreUrl));
  }
  const processes = new Map<ProcessName, Process>();
  for (const of of Object.keys(ROLES_OF) as ProcessName[]) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const gate = gates.get(of);
    const product = createProduct({
      url,
      env: {
        ...env,
        PORT: String(port),
        ...(gate ? { EVENTSTORE_URL: gate.url } : {}),
        ...envOf[of],
      },
      logPath,
      args: ['--roles', ROLES_OF[of]],
      imports: envOf[of]?.['CLOCK_STEPS'] === undefined ? [] : ['test/real/support/clock-steps.js'],
      loadAhead: false,
      dist: options.builds?.[of],
    });
    processes.set(of, { name: of, url, ...product, start: () => startSupervised(product, logPath) });
  }
  const processOf = (of: ProcessName): Process => processes.get(of)!;
  const apis = [processOf('api1').url, processOf('api2').url];
  provider.setWebhookUrls(...apis.map((url) => `${url}/providers/whatsapp/webhooks`));

  const endAll = (): Promise<unknown> =>
    Promise.all([...processes.values()].map((product) => product.close()));
  async function closeAll(): Promise<void> {
    await endAll();
    await Promise.all([
      provider.close(),
      receiver.close(),
      ...[...gates.values()].map((gate) => gate.close()),
    ]);
  }

  async function begin(): Promise<Workspace> {
    await processOf('projections1').start();
    const made = await makeWorkspace({ ...env, ROLES: 'api' }, receiver.url, { openRealStack });
    secret = made.webhookSecret;
    // Wait for all of them even when one fails, so that no start is left running.
    const starts = FIVE.filter((of) => of !== 'projections1').map((of) => processOf(of).start());
    const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
    if (failed) throw failed.reason;
    return made;
  }
  const workspace = await begin().catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });

  const disturbances: number[] = [];
  /** Times at which rows may move to another worker; that includes a worker that was cut off but did not die. */
  const handovers: number[] = [];
  const acceptedDuring = new Map<number, string>();
  let during = 'the start';
  const told = (): number => system.receiver.seen.get('/all')?.size ?? 0;
  const loads: Integrators[] = [];
  const customers = new Set<NodeJS.Timeout>();
  const system: System = {
    env,
    chance,
    provider,
    receiver,
    workspace,
    gates,
    process: processOf,
    during(what) {
      during = what;
      handovers.push(Date.now());
    },
    disturbed(what) {
      system.during(what);
      disturbances.push(Date.now());
    },
    load({ clients = 2, onAnswer = () => undefined } = {}) {
      const integrators = startIntegrators({
        chance,
        apiUrls: apis.map((url) => `${url}/api/v1`),
        apiKey: workspace.apiKey,
        clients,
        first: loads.length * 1_000_000,
        timeoutMs: 20_000,
        onAnswer,
      });
      integrators.onAccepted = () => {
        acceptedDuring.set(integrators.accepted.at(-1)!.n, during);
      };
      loads.push(integrators);
      const writing = setInterval(() => provider.writeInbound(), CUSTOMER_EVERY_MS);
      customers.add(writing);
      return {
        integrators,
        async finish() {
          clearInterval(writing);
          await integrators.finish();
        },
      };
    },
    async flows({ integrators }, timeoutMs) {
      const { accepted } = integrators;
      const [from, toldBefore] = [accepted.length, told()];
      await eventually(
        () => {
          const fresh = new Set(accepted.slice(from).map(({ operationUuid }) => operationUuid));
          const called = new Set(
            provider.calls.map(({ opaque }) => opaque).filter((uuid) => fresh.has(uuid)),
          );
          if (called.size >= FLOW && told() >= toldBefore + FLOW) return true;
          throw new Error(`${fresh.size} accepted, ${called.size} sent, ${told() - toldBefore} events told`);
        },
        { timeoutMs, what: 'messages to flow' },
      );
    },
    accepted: () => acceptedDuring.size,
    async quiet(timeoutMs) {
      await eventually(
        async () => {
          const work = { ...(await waitingWork(env)), webhooks_of_the_provider: provider.pending() };
          const left = Object.entries(work).filter(([, n]) => n > 0);
          if (left.length === 0) return true;
          throw new Error(left.map(([queue, n]) => `${n} in ${queue}`).join(', '));
        },
        { timeoutMs, what: 'quiet' },
      );
    },
    async judge() {
      await endAll();
      return [
        ...loads.flatMap(({ violations }) => violations),
        ...receiver.violations,
        ...judge({
          companyUuid: workspace.companyUuid,
          accepted: loads.flatMap(({ accepted }) => accepted),
          ...seenOutside(provider, receiver),
          kills: disturbances,
          handovers,
          forgotten: [],
          folder: await readServers(env),
        }),
      ].map((violation) => {
        const n = /^message (\d+)/.exec(violation)?.[1];
        return n === undefined
          ? violation
          : `${violation} (accepted after: ${acceptedDuring.get(Number(n))})`;
      });
    },
    errors: () => errorsIn(readFileSync(logPath, 'utf8')),
    log: () => readFileSync(logPath, 'utf8'),
    async close() {
      // After a failed test they are still running.
      for (const writing of customers) clearInterval(writing);
      for (const integrators of loads) integrators.abandon();
      await closeAll();
      if (process.env['CRASH_KEEP'] === 'on') process.stdout.write(`kept: ${dir}\n`);
      else rmSync(dir, { recursive: true, force: true });
    },
  };
  return system;
}

const WENT_AWAY = 'It can not start now, a server went away meanwhile';
const STARTS = 5;

/** Starts the process under supervision: if it ends because a server did not answer in time, it is started again. */
async function startSupervised(product: Product, logPath: string): Promise<boolean> {
  const ends = (): number => readFileSync(logPath, 'utf8').split(WENT_AWAY).length;
  for (let left = STARTS; ; left -= 1) {
    const before = ends();
    try {
      return await product.start();
    } catch (error) {
      if (left === 1 || product.alive() || ends() === before) throw error;
    }
  }
}

/** Log lines of level error and above, counted by message. */
export function errorsIn(log: string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const line of log.split('\n')) {
    if (!line.startsWith('{"level":5') && !line.startsWith('{"level":6')) continue;
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message?: string } };
    const what = `${msg}: ${err?.message ?? ''}`.slice(0, 160);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** Groups the violations by kind, with the number of each kind and the first example. */
export function byKind(violations: readonly string[]): Readonly<Record<string, readonly [number, string]>> {
  const kinds = new Map<string, [number, string]>();
  for (const violation of violations) {
    const kind = violation
      .replace(/\(accepted after.*$/, '')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '…')
      .slice(0, 120);
    const known = kinds.get(kind);
    if (known) known[0] += 1;
    else kinds.set(kind, [1, violation.slice(0, 1_500)]);
  }
  return Object.fromEntries(kinds);
}
