/** Starts a whole Recado in this process, and stops it again. `main.ts` is the command around it; tests use it too. */
import type { AddressInfo } from 'node:net';
import { mkdirSync } from 'node:fs';
import { loadMasterKey } from '../adapters/crypto/master-key.js';
import { startSandbox } from '../adapters/whatsapp/sandbox/sandbox.js';
import { DEMO_PHONE_NUMBER_ID, DEMO_TEMPLATES, DEMO_WABA_ID } from '../adapters/whatsapp/sandbox/seeds.js';
import type { Sandbox } from '../adapters/whatsapp/sandbox/types.js';
import type { App } from '../application/app.js';
import { changeWebhookEndpoint } from '../application/provisioning/webhooks.js';
import type { Logger } from '../ports/logger.js';
import type { CompanyDoc } from '../projections/models/companies.js';
import type { WebhookEndpointDoc } from '../projections/models/webhook-endpoints.js';
import { composeAdmin } from './compose-admin.js';
import { composeCore, startWorkers, type Core, type Workers } from './compose.js';
import { ConfigError, type Config } from './config.js';
import { readCredentials, writeCredentials, type Credentials } from './credentials.js';
import { demoIsMade, firstDemo } from './demo.js';
import { validWebhookSecrets } from './endpoint-directory.js';
import { createHttpApp, listen, stopListening } from './http.js';
import { inboxRouter } from './inbox/router.js';
import { createMetrics } from './metrics.js';
import { deriveSecrets } from './secrets.js';

export interface Running {
  /** Without a final slash. */
  readonly url: string;
  readonly core: Core;
  readonly workers: Workers;
  readonly sandbox: Sandbox | null;
  readonly credentials: Credentials;
  readonly credentialsPath: string;
  /** True when this start made the demo workspace. */
  readonly madeDemo: boolean;
  stop(): Promise<void>;
}

export async function start(config: Config, logger: Logger): Promise<Running> {
  const masterKey = prepareFolder(config);
  for (const warning of masterKey.warnings) logger.warn({}, warning);
  const secrets = deriveSecrets(masterKey.key);
  const adminToken = config.adminToken ?? secrets.adminToken;

  const sandbox =
    config.whatsappApiUrl === null
      ? await startSandbox({
          appSecret: config.whatsappAppSecret ?? secrets.whatsappAppSecret,
          verifyToken: config.whatsappVerifyToken ?? secrets.whatsappVerifyToken,
          webhookUrl: null,
          logger,
        })
      : null;
  let core: Core | undefined;
  try {
    core = await composeCore(config, {
      masterKey: masterKey.key,
      secrets,
      providerUrl: config.whatsappApiUrl ?? sandbox!.url,
      logger,
    });
  } catch (error) {
    await sandbox?.close();
    throw error;
  }

  const metrics = createMetrics();
  const state = {
    phase: 'starting' as 'starting' | 'ready' | 'stopping',
    /** The demo's, once it is made. */
    integration: undefined as string | undefined,
  };
  const workers = await startWorkers(core, config, metrics);
  metrics.onScrape('worker_lag_messages', 'Messages each worker still has to handle', () => workers.lags());
  metrics.onScrape('store', 'State of the embedded store', () => {
    const { walBytes, commits, appendedEvents, behind } = core.embedded.stats();
    return Promise.resolve({
      wal_bytes: walBytes,
      commits,
      appended_events: appendedEvents,
      projections_behind: behind.length,
    });
  });

  const webhookSecrets = async (): Promise<readonly string[]> =>
    state.integration === undefined ? [] : validWebhookSecrets(core.app, state.integration);
  const stopping = new AbortController();
  // Routes need the address and the address needs the port: the server listens first and answers 503 meanwhile.
  const http = await createHttpApp({
    core,
    config,
    secrets,
    metrics,
    publicUrl: config.publicUrl ?? `http://${hostInUrl(config.host)}:${config.port}`,
    admin: await composeAdmin({ core, workers, sandbox, adminToken, secrets, config }),
    inbox: config.demo ? inboxRouter({ secret: webhookSecrets, stopping: stopping.signal }) : null,
    ready: () => ({
      ok: state.phase === 'ready' && core.guard.errors().size === 0,
      parts: {
        process: state.phase,
        store: 'ok',
        projections:
          core.guard.errors().size === 0
            ? 'in step'
            : `stopped: ${[...core.guard.errors().keys()].join(', ')}`,
      },
    }),
  });
  const server = await listen(http, config.host, config.port).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      error.code === 'EADDRINUSE'
        ? `Port ${config.port} is taken. Set PORT to a free one.`
        : `It can not listen on ${config.host}, port ${config.port} (${error.code ?? error.message}). Set HOST and PORT to an address of this machine.`,
    );
  });
  const { port } = server.address() as AddressInfo;
  const url = config.publicUrl ?? `http://${hostInUrl(config.host)}:${port}`;
  sandbox?.setWebhookUrl(`http://${hostInUrl(config.host)}:${port}/providers/whatsapp/webhooks`);

  const before = readCredentials(config.dataDir);
  const base: Credentials = {
    base_url: `${url}/api/v1`,
    admin_url: `${url}/admin/v1`,
    admin_token: adminToken,
  };
  const demo = config.demo
    ? await firstDemo(core.app, config.dataDir, {
        baseUrl: url,
        adminToken,
        sandbox: {
          phoneNumberId: DEMO_PHONE_NUMBER_ID,
          wabaId: DEMO_WABA_ID,
          accessToken: secrets.sandboxAccessToken,
          templates: DEMO_TEMPLATES,
        },
      })
    : null;
  const madeDemo = demo !== null;
  const found: Credentials = { ...before, ...demo, ...base };
  state.integration = found['integration_uuid'];
  // Rotated since the last start: the file must not go on naming a secret that signs nothing.
  const [webhookSecret] = await webhookSecrets();
  const credentials = webhookSecret === undefined ? found : { ...found, webhook_secret: webhookSecret };
  const credentialsPath = writeCredentials(config.dataDir, credentials);
  if (madeDemo) demoIsMade(config.dataDir);
  await followAddress(core.app, before?.['base_url'], url);
  state.phase = 'ready';

  return {
    url,
    core,
    workers,
    sandbox,
    credentials,
    credentialsPath,
    madeDemo,
    async stop() {
      state.phase = 'stopping';
      stopping.abort();
      await stopListening(server);
      await workers.stop();
      await sandbox?.close();
      await core.close();
    },
  };
}

/** @throws ConfigError where the operator has to look at DATA_DIR or the key */
function prepareFolder(config: Config): ReturnType<typeof loadMasterKey> {
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    return loadMasterKey({ given: config.masterKey ?? undefined, dataDir: config.dataDir });
  } catch (error) {
    const what = config.masterKey === null ? `DATA_DIR ${config.dataDir}` : 'RECADO_MASTER_KEY';
    throw new ConfigError(
      `${what} can not be used: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** The demo's inbox moves with the process: another PORT must not leave its endpoint pointing at the old one. */
async function followAddress(app: App, oldBaseUrl: string | undefined, url: string): Promise<void> {
  const old = oldBaseUrl?.replace(/\/api\/v1$/, '');
  if (old === undefined || old === url) return;
  const { documents } = await app.readModels.find<CompanyDoc>('companies', {
    index: 'all',
    equals: [],
    order: 'asc',
    limit: 1,
  });
  const [company] = documents;
  if (!company) return;
  const endpoints = await app.readModels.find<WebhookEndpointDoc>('webhook_endpoints', {
    index: 'by_company',
    equals: [company.id],
    order: 'asc',
    limit: 100,
  });
  for (const { doc } of endpoints.documents) {
    if (doc.url !== `${old}/inbox/receive`) continue;
    const { endpoint_uuid: endpointUuid, integration_uuid: integrationUuid } = doc;
    await changeWebhookEndpoint(
      app,
      { integrationUuid, endpointUuid, url: `${url}/inbox/receive` },
      { actor: 'demo' },
    );
  }
}

/** `0.0.0.0` and `::` are for listening, not for calling. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
