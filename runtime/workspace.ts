/** Prepares the data for a newcomer after a start: the demo, and a file with its credentials. */
import { DEMO_PHONE_NUMBER_ID, DEMO_TEMPLATES, DEMO_WABA_ID } from '../sandbox/seeds.js';
import type { App } from '../application/app.js';
import { changeWebhookEndpoint } from '../application/provisioning/webhooks.js';
import { storeAggregate } from '../domain/store/decide.js';
import { storeId } from '../domain/streams.js';
import type { Core } from './compose.js';
import type { Config } from './config.js';
import { readCredentials, writeCredentials, type Credentials } from './credentials.js';
import { demoIsMade, firstDemo, type DemoCredentials } from './demo/demo.js';
import { validWebhookSecrets } from '../workers/webhooks/endpoint-directory.js';
import { readingOwnWrites } from './reading-own-writes.js';
import type { DerivedSecrets } from './secrets.js';
import { pause } from '../ports/waiting.js';
import { companies } from '../read-models/companies.js';
import { webhookEndpoints } from '../read-models/webhook-endpoints.js';

/** Also long enough for a new deployment whose projections are only starting. */
const SHOWN_WITHIN_MS = 30_000;

export interface Workspace {
  readonly credentials: Credentials;
  readonly credentialsPath: string | null;
  readonly madeDemo: boolean;
  /** Of the page that the demo company sells on; null when there is none. */
  readonly storeSlug: string | null;
}

export async function prepareWorkspace(of: {
  readonly core: Core;
  readonly config: Config;
  readonly secrets: DerivedSecrets;
  /** URL of this process, without a final slash. */
  readonly url: string;
  /** URL of its admin API. */
  readonly operatorsUrl: string;
  readonly adminToken: string;
}): Promise<Workspace> {
  const { core, config, url, operatorsUrl, adminToken } = of;
  const base: Credentials = {
    base_url: `${url}/api/v1`,
    admin_url: `${operatorsUrl}/admin/v1`,
    admin_token: adminToken,
  };
  // Except for a demo, a process on EventStoreDB, MongoDB and Kafka writes nothing to its disk.
  if (config.realStack !== null && !config.demo) {
    return { credentials: base, credentialsPath: null, madeDemo: false, storeSlug: null };
  }
  const before = readCredentials(config.dataDir);
  const demo = config.demo ? await oneDemo(of) : null;
  const found: Credentials = { ...before, ...demo, ...base };
  const integration = found['integration_uuid'];
  // The secret may have been rotated since the last start: the file must not contain one that signs nothing.
  const [webhookSecret] = integration === undefined ? [] : await validWebhookSecrets(core.app, integration);
  const credentials = webhookSecret === undefined ? found : { ...found, webhook_secret: webhookSecret };
  const credentialsPath = writeCredentials(config.dataDir, credentials);
  if (demo !== null) demoIsMade(config.dataDir);
  // An import must not be mixed with other writes.
  if (!config.historyImport) await followAddress(core.patientApp, before?.['base_url'], url);
  const storeSlug = await slugOf(core.app, credentials['company_uuid']);
  return { credentials, credentialsPath, madeDemo: demo !== null, storeSlug };
}

/** Read from the stream: at a start the read model may still be empty. */
async function slugOf(app: Pick<App, 'executor'>, company: string | undefined): Promise<string | null> {
  if (company === undefined) return null;
  const { state } = await app.executor.load(storeAggregate, storeId(company));
  return state.exists && state.allowed && state.status !== 'setup' ? state.slug : null;
}

/** Of several processes that start together, one creates the demo; the others find it. */
async function oneDemo(of: Parameters<typeof prepareWorkspace>[0]): Promise<DemoCredentials | null> {
  const { core, config, secrets, url, adminToken } = of;
  // The demo takes dozens of steps: with the projections in another process, each step would have to wait for them.
  const { app, shown } = readingOwnWrites(core.app, SHOWN_WITHIN_MS);
  for (;;) {
    const lease = await app.leases.acquire('demo');
    if (lease === null) {
      await pause(app.clock, 500);
      continue;
    }
    try {
      const made = await firstDemo(app, config.dataDir, {
        baseUrl: url,
        adminToken,
        sandbox: {
          phoneNumberId: DEMO_PHONE_NUMBER_ID,
          wabaId: DEMO_WABA_ID,
          accessToken: secrets.sandboxAccessToken,
          templates: DEMO_TEMPLATES,
        },
      });
      await shown();
      return made;
    } finally {
      await lease.release();
    }
  }
}

/** Updates the address of the demo's inbox: after a change of PORT, its endpoint must not point to the old one. */
async function followAddress(app: App, oldBaseUrl: string | undefined, url: string): Promise<void> {
  const old = oldBaseUrl?.replace(/\/api\/v1$/, '');
  if (old === undefined || old === url) return;
  const { documents } = await app.readModels.find(companies.name, {
    index: 'all',
    equals: [],
    order: 'asc',
    limit: 1,
  });
  const [company] = documents;
  if (!company) return;
  const endpoints = await app.readModels.find(webhookEndpoints.name, {
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
