/**
 * Starts a complete Recado in this process, and stops it again. `main.ts` is the command around it; tests use it too.
 */
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { join, resolve } from 'node:path';
import { databaseRefusal } from '../adapters/embedded/refusal.js';
import { createRemoteControl } from '../sandbox/remote-control.js';
import { startSandbox } from '../sandbox/sandbox.js';
import type { Sandbox } from '../sandbox/types.js';
import type { Logger } from '../ports/logger.js';
import { pause } from '../ports/waiting.js';
import { createBackups, type Backups } from './backup/backups.js';
import { composeAdmin } from './compose-admin.js';
import type { Workers } from '../workers/all.js';
import { composeCore, type Core, type CoreDeps } from './compose.js';
import { ConfigError, LOOPBACK, type Config } from './config.js';
import type { ClosingLimits } from './connections.js';
import type { Credentials } from './credentials.js';
import { prepareFolder } from './data-folder.js';
import { validWebhookSecrets } from '../workers/webhooks/endpoint-directory.js';
import { hostInUrl } from './host-in-url.js';
import { createFaces, listen, type Listener } from './http.js';
import { receiverRouter } from './demo/receiver.js';
import { createMetrics } from './metrics.js';
import { observe } from './observe.js';
import { createProxyWatch } from './proxies.js';
import { readiness, type Phase } from './readiness.js';
import { deriveSecrets, type DerivedSecrets } from './secrets.js';
import { openSignIn } from './sign-in.js';
import { packageVersion } from './version.js';
import { startWorkersRole } from './workers-role.js';
import { prepareWorkspace } from './workspace.js';

export interface Running {
  /** Without a final slash. */
  readonly url: string;
  /** URL of the admin API and the metrics; equal to `url` unless ADMIN_PORT is set. */
  readonly operatorsUrl: string;
  readonly roles: Config['roles'];
  readonly core: Core;
  /** Null where other processes run the workers. */
  readonly workers: Workers | null;
  readonly sandbox: Sandbox | null;
  readonly credentials: Credentials;
  /** Null when no file was written: with EventStoreDB, MongoDB and Kafka, and without a demo. */
  readonly credentialsPath: string | null;
  /** True when this start created the demo workspace. */
  readonly madeDemo: boolean;
  /** Of the page that the demo company sells on; null when there is none. */
  readonly storeSlug: string | null;
  /** Address of the console, with a link that signs in where only this machine reaches it; null where it is off. */
  readonly consoleUrl: string | null;
  /**
   * First, `/readyz` answers 503 and the process's own work begins to end. When that work has ended and `noticeMs` have
   * passed, the listener accepts no more connections and answers the requests that have arrived. The rest stops last.
   */
  stop(limits?: Partial<StopLimits>): Promise<void>;
}

export interface StopLimits extends ClosingLimits {
  /** How long new connections are still accepted at least, for load balancers that poll `/readyz`. */
  readonly noticeMs: number;
}

const STOP_LIMITS: StopLimits = { noticeMs: 1_000, quietMs: 250, answerMs: 10_000 };

/** Closes everything already opened when a later step fails: nothing may keep a failed start alive. */
export async function start(
  config: Config,
  logger: Logger,
  options: Pick<CoreDeps, 'openRealStack' | 'clock'> = {},
): Promise<Running> {
  const opened: (() => Promise<unknown>)[] = [];
  try {
    return await startAll(config, logger, options, opened);
  } catch (error) {
    await closeAll(opened).catch((other: unknown) => logger.error({ err: other }, 'closing failed'));
    throw (config.realStack === null ? databaseRefusal(error, config.dataDir) : null) ?? error;
  }
}

/** Closes in reverse order. */
async function closeAll(opened: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of [...opened].reverse()) await close();
}

async function startAll(
  config: Config,
  logger: Logger,
  options: Pick<CoreDeps, 'openRealStack' | 'clock'>,
  opened: (() => Promise<unknown>)[],
): Promise<Running> {
  const masterKey = prepareFolder(config);
  for (const warning of masterKey.warnings) logger.warn({}, warning);
  const secrets = deriveSecrets(masterKey.key);
  const adminToken = config.adminToken ?? secrets.adminToken;

  const sandbox = await ownSandbox(config, secrets, logger, options.clock);
  if (sandbox) opened.push(() => sandbox.close());
  const own: OwnAddresses = { url: `http://${hostInUrl(config.host)}:${config.port}`, operators: null };
  const core = await composeCore(config, {
    masterKey: masterKey.key,
    secrets,
    providerUrl: config.whatsappApiUrl ?? sandbox!.url,
    ownUrl: () => own.url,
    logger,
    ...options,
  });
  opened.push(() => core.close());

  const metrics = createMetrics();
  /** `integration`: the demo's, once it is made. */
  const state: { phase: Phase; integration: string | undefined } = {
    phase: 'starting',
    integration: undefined,
  };
  const workers =
    config.roles.has('workers') && !config.historyImport
      ? await startWorkersRole(core, config, metrics)
      : null;
  if (workers) opened.push(() => workers.stop());

  const backups = core.embedded && openBackups(core, core.embedded, config);
  if (backups) opened.push(() => backups.stop());
  observe({ core, workers, config, backups }, metrics);
  const webhookSecrets = async (): Promise<readonly string[]> =>
    state.integration === undefined ? [] : validWebhookSecrets(core.app, state.integration);
  const stopping = new AbortController();
  // It may run in another process: the remote control asks the address, and refuses where that is WhatsApp.
  const control =
    sandbox ??
    (config.whatsappApiUrl === null
      ? null
      : createRemoteControl(config.whatsappApiUrl, secrets.sandboxAccessToken));
  const proxies = createProxyWatch(config.trustedProxies, logger);
  let limits = STOP_LIMITS;
  const signIn = await openSignIn(core, config, () => consoleAddress(config, own));
  const { sessions } = signIn;
  // Routes need the address, and the address needs the port: the server listens first and answers 503 until the routes
  // exist.
  const faces = await createFaces({
    core,
    config,
    secrets,
    metrics,
    publicUrl: config.publicUrl ?? own.url,
    proxies,
    sandbox: control,
    admin: config.roles.has('api')
      ? await composeAdmin({
          core,
          workers,
          sandbox: control,
          adminToken,
          ...signIn,
          secrets,
          config,
          stopping: stopping.signal,
          backups,
          metrics,
          proxies,
        })
      : null,
    receiver: config.demo
      ? receiverRouter({
          secret: webhookSecrets,
          console: () => sessions && `${consoleAddress(config, own)}/console`,
          clock: core.app.clock,
        })
      : null,
    ready: () => readiness(core, config, state.phase),
    stopping: stopping.signal,
  });
  const open = async (face: Express, host: string, port: number, name: string): Promise<string> => {
    const listener = await listenAt(face, host, port, name, core);
    opened.push(() => listener.close(limits));
    return `http://${hostInUrl(host)}:${portOf(listener)}`;
  };
  own.url = await open(faces.http, config.host, config.port, '');
  const url = config.publicUrl ?? own.url;
  const { operators } = config;
  const operatorsUrl =
    operators && faces.operators
      ? await open(faces.operators, operators.host, operators.port, 'ADMIN_')
      : url;
  if (config.demo && !LOOPBACK.has(config.host)) {
    logger.warn(
      { host: config.host },
      'the demo listens on an address that others reach: set HOST=127.0.0.1, or DEMO=off',
    );
  }
  if (operators) own.operators = operatorsUrl;
  sandbox?.setWebhookUrl(`${own.url}/providers/whatsapp/webhooks`);

  const workspace = await prepareWorkspace({ core, config, secrets, url, operatorsUrl, adminToken });
  state.integration = workspace.credentials['integration_uuid'];
  state.phase = 'ready';
  const page = `${operatorsUrl}/console`;
  const link = sessions && LOOPBACK.has(config.host) && config.demo ? await sessions.makeLink() : null;

  return {
    url,
    operatorsUrl,
    roles: config.roles,
    core,
    workers,
    sandbox,
    consoleUrl: sessions && (link === null ? page : `${page}#token=${link.token}`),
    ...workspace,
    async stop(given = {}) {
      limits = { ...STOP_LIMITS, ...given };
      state.phase = 'stopping';
      stopping.abort();
      // The listener stays open until the workers have stopped, so that webhooks about their work are still answered.
      await Promise.all([pause(core.app.clock, limits.noticeMs), workers?.stop()]);
      await closeAll(opened);
    },
  };
}

/** As this process listens; the ports are known once it does. */
interface OwnAddresses {
  url: string;
  operators: string | null;
}

/** Where browsers reach the console: never taken from what a caller says. */
const consoleAddress = ({ consoleUrl, publicUrl }: Config, own: OwnAddresses): string =>
  consoleUrl ?? own.operators ?? publicUrl ?? own.url;

const portOf = ({ server }: Listener): number => (server.address() as AddressInfo).port;

function openBackups(core: Core, embedded: NonNullable<Core['embedded']>, config: Config): Backups {
  const { clock, newId, logger } = core.app;
  return createBackups({
    embedded,
    blobsDir: config.s3 === null ? join(config.dataDir, 'blobs') : null,
    folder: resolve(config.backupDir ?? join(config.dataDir, 'backups')),
    shared: config.backupDir !== null,
    version: packageVersion(),
    masterKey:
      config.masterKey === null
        ? `The master key is not in the backup. Keep a copy of ${resolve(config.dataDir, 'master.key')} apart from it: without the key the backup can not be read.`
        : 'The master key is not in the backup. Keep what RECADO_MASTER_KEY is set to apart from it: without the key the backup can not be read.',
    clock,
    newId,
    logger,
  });
}

/** WhatsApp's stand-in, in this process; null where WhatsApp or a sandbox elsewhere is configured. */
async function ownSandbox(
  config: Config,
  secrets: DerivedSecrets,
  logger: Logger,
  clock: CoreDeps['clock'],
): Promise<Sandbox | null> {
  if (config.whatsappApiUrl !== null) return null;
  return startSandbox({
    appSecret: config.whatsappAppSecret ?? secrets.whatsappAppSecret,
    verifyToken: config.whatsappVerifyToken ?? secrets.whatsappVerifyToken,
    webhookUrl: null,
    logger,
    ...(clock ? { clock } : {}),
  });
}

/** @throws ConfigError where the machine refuses the address */
async function listenAt(
  face: Express,
  host: string,
  port: number,
  name: string,
  core: Core,
): Promise<Listener> {
  return listen(face, host, port, core.embedded?.giveWay, core.app.clock).catch(
    (error: NodeJS.ErrnoException) => {
      throw new ConfigError(
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken. Set ${name}PORT to a free one.`
          : `It can not listen on ${host}, port ${port} (${error.code ?? error.message}). Set ${name}HOST and ${name}PORT to an address of this machine.`,
      );
    },
  );
}
