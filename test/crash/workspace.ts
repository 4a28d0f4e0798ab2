/** A company with one channel at the provider stand-in and two webhook endpoints. */
import { composeCore, type CoreDeps } from '../../runtime/compose.js';
import { readConfig } from '../../runtime/config.js';
import { deriveSecrets } from '../../runtime/secrets.js';
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { createFlow } from '../../application/flows/manage.js';
import { publishFlow } from '../../application/flows/publish.js';
import { issueApiKey } from '../../application/provisioning/api-keys.js';
import { connectChannel } from '../../application/provisioning/channels.js';
import { registerCompany } from '../../application/provisioning/companies.js';
import { registerIntegration } from '../../application/provisioning/integrations.js';
import { SCOPES } from '../../application/provisioning/vocabulary.js';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { silentLogger } from '../../ports/logger.js';
import { CRASH_FLOW } from './flows.js';
import { PHONE_NUMBER_ID, WABA_ID } from './provider.js';

export interface Workspace {
  readonly companyUuid: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly channelUuid: string;
  readonly flowUuid: string;
}

/** One endpoint is subscribed to all events, the other only to received messages. */
export const ENDPOINTS: Readonly<Record<string, readonly string[] | null>> = {
  '/all': null,
  '/received': ['message.received'],
};

/** On the embedded store, call it before the first start; on servers, while projections run. */
export async function makeWorkspace(
  env: Readonly<Record<string, string>>,
  receiverUrl: string,
  options: Pick<CoreDeps, 'openRealStack'> = {},
): Promise<Workspace> {
  const config = readConfig(env, false);
  const { key } = loadMasterKey({ given: config.masterKey ?? undefined, dataDir: config.dataDir });
  const core = await composeCore(config, {
    masterKey: key,
    secrets: deriveSecrets(key),
    providerUrl: config.whatsappApiUrl!,
    logger: silentLogger,
    ...options,
  });
  const { patientApp: app } = core;
  const by = { actor: 'test' };
  const { companyUuid } = await registerCompany(app, { name: 'Crash' }, by);
  const { integrationUuid, webhookSecret } = await registerIntegration(
    app,
    { companyUuid, name: 'Crash' },
    by,
  );
  const { apiKey } = await issueApiKey(app, { integrationUuid, label: 'crash', scopes: SCOPES }, by);
  const { channelUuid } = await connectChannel(
    app,
    { companyUuid, phoneNumberId: PHONE_NUMBER_ID, wabaId: WABA_ID, accessToken: 'token' },
    by,
  );
  for (const [path, eventTypes] of Object.entries(ENDPOINTS)) {
    await addWebhookEndpoint(app, { integrationUuid, url: `${receiverUrl}${path}`, eventTypes }, by);
  }
  const { flowUuid } = await createFlow(app, { companyUuid, name: 'Crash', definition: CRASH_FLOW }, by);
  await publishFlow(app, flowUuid, by);
  await core.close();
  return { companyUuid, apiKey, webhookSecret, channelUuid, flowUuid };
}
