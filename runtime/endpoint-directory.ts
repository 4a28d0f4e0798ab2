/** Webhook endpoints with their secrets in the clear, as the delivery engine needs them. */
import type { App } from '../application/app.js';
import { WEBHOOK_SECRET_CONTEXT } from '../application/provisioning/common.js';
import { secretFingerprint } from '../domain/policies/webhook-signature.js';
import type { IntegrationDoc } from '../projections/models/integrations.js';
import type { WebhookEndpointDoc } from '../projections/models/webhook-endpoints.js';
import type { EndpointDirectory, EndpointSecret } from '../workers/webhooks/endpoints.js';

/** The webhook secrets of an integration that are valid now, the current one first; none when it does not exist. */
export async function validWebhookSecrets(app: App, integrationUuid: string): Promise<readonly string[]> {
  const stored = await app.readModels.get<IntegrationDoc>('integrations', integrationUuid);
  if (!stored) return [];
  const { webhook_secret_sealed, previous_secret_sealed, previous_expires_at } = stored.doc;
  const sealed = [webhook_secret_sealed];
  if (previous_secret_sealed !== null && Date.parse(previous_expires_at ?? '') > app.clock.now()) {
    sealed.push(previous_secret_sealed);
  }
  return sealed.map((text) => app.secrets.open(text, WEBHOOK_SECRET_CONTEXT));
}

interface OpenSecret extends EndpointSecret {
  readonly expiresAt: number;
}

export function createEndpointDirectory(app: App): EndpointDirectory {
  // Opening costs a decryption; a document only changes version when something about it changed.
  const opened = new Map<string, { readonly version: string; readonly secrets: readonly OpenSecret[] }>();

  async function secretsOf(integrationUuid: string): Promise<readonly OpenSecret[]> {
    const stored = await app.readModels.get<IntegrationDoc>('integrations', integrationUuid);
    if (!stored) throw new Error(`integration ${integrationUuid} can not be read`);
    const known = opened.get(integrationUuid);
    if (known?.version === stored.version) return known.secrets;
    const secrets = [open(stored.doc.webhook_secret_sealed, Infinity)];
    const { previous_secret_sealed, previous_expires_at } = stored.doc;
    if (previous_secret_sealed !== null && previous_expires_at !== null) {
      secrets.push(open(previous_secret_sealed, Date.parse(previous_expires_at)));
    }
    opened.set(integrationUuid, { version: stored.version, secrets });
    return secrets;
  }

  function open(sealed: string, expiresAt: number): OpenSecret {
    const secret = app.secrets.open(sealed, WEBHOOK_SECRET_CONTEXT);
    return { secret, fingerprint: secretFingerprint(secret), expiresAt };
  }

  return {
    async get(endpointUuid) {
      const stored = await app.readModels.get<WebhookEndpointDoc>('webhook_endpoints', endpointUuid);
      if (!stored) return null;
      const { endpoint_uuid, integration_uuid, company_uuid, url, enabled } = stored.doc;
      const secrets = await secretsOf(integration_uuid);
      return {
        endpoint_uuid,
        integration_uuid,
        company_uuid,
        url,
        enabled,
        secrets: () => secrets.filter((secret) => secret.expiresAt > app.clock.now()),
      };
    },
  };
}
