/**
 * The workspace of a first start: enough to send a message, sell something, run a flow and receive a webhook within
 * minutes.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../application/app.js';
import { issueApiKey } from '../../application/provisioning/api-keys.js';
import { connectChannel } from '../../application/provisioning/channels.js';
import { changeMarketingSettings, registerCompany } from '../../application/provisioning/companies.js';
import { registerIntegration } from '../../application/provisioning/integrations.js';
import { SCOPES } from '../../application/provisioning/vocabulary.js';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { importTemplates } from '../../application/templates/import.js';
import { syncTemplates } from '../../application/templates/sync.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ProviderTemplate } from '../../ports/provider.js';
import { companies } from '../../read-models/companies.js';
import { makeDemoFlow } from './flow.js';
import { makeDemoStore } from './store.js';

/** Phone of the sandbox's number. */
const DEMO_PHONE = '+551140028922';

export interface DemoOptions {
  /** URL of this process, without a final slash: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly adminToken: string;
  /** The sandbox's number, and a token that it accepts. */
  readonly sandbox: {
    readonly phoneNumberId: string;
    readonly wabaId: string;
    readonly accessToken: string;
    /** For a server behind WHATSAPP_API_URL that has no templates of its own. */
    readonly templates: readonly ProviderTemplate[];
  };
}

/** Content of `credentials.json`. All fields named key, token or secret are secret. */
export interface DemoCredentials {
  readonly base_url: string;
  readonly api_key: string;
  readonly admin_url: string;
  readonly admin_token: string;
  readonly company_uuid: string;
  readonly integration_uuid: string;
  readonly channel_uuid: string;
  readonly phone_number_id: string;
  readonly whatsapp_app_secret: string;
  readonly whatsapp_verify_token: string;
  readonly webhook_secret: string;
}

/**
 * Exists while the first demo is being created. If a start finds it, the previous start was killed in between. Nobody
 * has received credentials of that data, so it is deleted and created again.
 */
const markerIn = (dataDir: string): string => join(dataDir, 'demo.incomplete');

export const demoWasBrokenOff = (dataDir: string): boolean => existsSync(markerIn(dataDir));

/**
 * Creates the demo of an installation without a company; null when a company exists. The caller calls `demoIsMade` once
 * the credentials are written.
 */
export async function firstDemo(
  app: App,
  dataDir: string,
  options: DemoOptions,
): Promise<DemoCredentials | null> {
  if ((await app.readModels.count(companies.name, 'all', [])) > 0) return null;
  writeFileSync(markerIn(dataDir), '');
  return makeDemo(app, options);
}

export function demoIsMade(dataDir: string): void {
  rmSync(markerIn(dataDir), { force: true });
}

/** Only for an empty history: each call creates another company. The sandbox must be running. */
export async function makeDemo(app: App, options: DemoOptions): Promise<DemoCredentials> {
  const { baseUrl, adminToken, sandbox } = options;
  const demo = { actor: 'demo' };
  const { companyUuid } = await registerCompany(app, { name: 'Loja Demo' }, demo);
  await changeMarketingSettings(app, { companyUuid, settings: { enabled: true } }, demo);
  const integration = await registerIntegration(app, { companyUuid, name: 'Demo' }, demo);
  const { integrationUuid, webhookSecret } = integration;
  const { apiKey } = await issueApiKey(app, { integrationUuid, label: 'Demo', scopes: SCOPES }, demo);
  const { templates, ...number } = sandbox;
  const channel = { companyUuid, ...number, evenIfRefused: true };
  const { channelUuid } = await connectChannel(app, channel, demo);
  await demoTemplates(app, channelUuid, templates);
  await addWebhookEndpoint(app, { integrationUuid, url: `${baseUrl}/inbox/receive` }, demo);
  await makeDemoFlow(app, { companyUuid }, demo);
  await makeDemoStore(app, { companyUuid, channelUuid, phone: DEMO_PHONE }, demo);
  return {
    base_url: `${baseUrl}/api/v1`,
    api_key: apiKey,
    admin_url: `${baseUrl}/admin/v1`,
    admin_token: adminToken,
    company_uuid: companyUuid,
    integration_uuid: integrationUuid,
    channel_uuid: channelUuid,
    phone_number_id: sandbox.phoneNumberId,
    whatsapp_app_secret: app.settings.whatsappAppSecret,
    whatsapp_verify_token: app.settings.whatsappVerifyToken,
    webhook_secret: webhookSecret,
  };
}

/**
 * Uses the account's own templates, or the sandbox's where the server at WHATSAPP_API_URL lists none: a first start
 * must not depend on how much of WhatsApp a mock server supports.
 */
async function demoTemplates(
  app: App,
  channelUuid: string,
  templates: readonly ProviderTemplate[],
): Promise<void> {
  const demo = { actor: 'demo' };
  try {
    const { total } = await syncTemplates(app, { channelUuid }, demo);
    if (total > 0) return;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    app.logger.warn(
      { code: error.code },
      'the templates could not be listed; the demo gets those of the sandbox',
    );
  }
  await importTemplates(app, { channelUuid, templates }, demo);
}
