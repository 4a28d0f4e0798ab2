/** Webhook endpoints with their secrets in the clear, for the delivery engine. */
import type { App } from '../../application/app.js';
import { WEBHOOK_SECRET_CONTEXT } from '../../application/provisioning/common.js';
import { integrationAggregate } from '../../domain/integration/decide.js';
import { entryOf } from '../../domain/kernel/entries.js';
import { secretFingerprint } from '../../domain/policies/webhook-signature.js';
import { integrationStream } from '../../domain/streams.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { CollectionName, Document } from '../../ports/read-models.js';
import { integrations, type IntegrationDoc } from '../../read-models/integrations.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import type { EndpointDirectory, EndpointSecret } from './endpoints.js';

/** The webhook secrets of an integration that are valid now, the current one first; empty when it does not exist. */
export async function validWebhookSecrets(
  app: Pick<App, 'clock' | 'readModels' | 'secrets'>,
  integrationUuid: string,
): Promise<readonly string[]> {
  const stored = await app.readModels.get(integrations.name, integrationUuid);
  if (!stored) return [];
  return sealedSecrets(stored.doc)
    .filter(({ expiresAt }) => expiresAt > app.clock.now())
    .map(({ sealed }) => app.secrets.open(sealed, WEBHOOK_SECRET_CONTEXT));
}

/** The current one first, then the earlier ones, newest first. Some may have ended. */
function sealedSecrets({
  webhook_secret_sealed,
  previous_secret_sealed,
  previous_expires_at,
  earlier_secrets = [],
}: IntegrationDoc): readonly { readonly sealed: string; readonly expiresAt: number }[] {
  const previous =
    previous_secret_sealed === null || previous_expires_at === null
      ? []
      : [{ sealed: previous_secret_sealed, expires_at: previous_expires_at }];
  return [
    { sealed: webhook_secret_sealed, expiresAt: Infinity },
    ...[...previous, ...earlier_secrets].map(({ sealed, expires_at }) => ({
      sealed,
      expiresAt: Date.parse(expires_at),
    })),
  ];
}

interface OpenSecret extends EndpointSecret {
  readonly expiresAt: number;
}

interface Opened {
  /** The document that they were last found in: every delivery asks for the same one. */
  readonly of: IntegrationDoc;
  readonly sealed: string;
  readonly secrets: readonly OpenSecret[];
}

export function createEndpointDirectory(
  app: Pick<App, 'barrier' | 'clock' | 'executor' | 'readModels' | 'replay' | 'secrets'>,
): EndpointDirectory {
  // Opening a secret costs a decryption, and secrets seldom change.
  const opened = new Map<string, Opened>();

  /** Null when the history is unavailable: known state is trusted then, but no delivery is ended because of it. */
  async function isComplete(model: string): Promise<boolean | null> {
    try {
      return await app.barrier.passed([model], 'recently');
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  }

  /** Every delivery asks for the same few documents. */
  async function rememberedDoc<Doc extends Document>(
    model: CollectionName<Doc>,
    id: string,
  ): Promise<Doc | undefined> {
    const { doc } = await app.barrier.remembered(model, id, async () => ({
      doc: (await app.readModels.get(model, id))?.doc,
    }));
    return doc;
  }

  async function integrationOf(integrationUuid: string): Promise<IntegrationDoc | undefined> {
    return (await isComplete('integrations')) === false
      ? app.replay(integrations.name, integrationStream.toName(integrationUuid))
      : rememberedDoc(integrations.name, integrationUuid);
  }

  async function secretsOf(integrationUuid: string): Promise<readonly OpenSecret[]> {
    const doc = await integrationOf(integrationUuid);
    if (!doc) throw new Error(`integration ${integrationUuid} can not be read`);
    const known = opened.get(integrationUuid);
    if (known?.of === doc) return known.secrets;
    const all = sealedSecrets(doc);
    const sealed = JSON.stringify(all);
    const secrets =
      known?.sealed === sealed ? known.secrets : all.map((secret) => open(secret.sealed, secret.expiresAt));
    opened.set(integrationUuid, { of: doc, sealed, secrets });
    return secrets;
  }

  /**
   * Read from the read model where that is complete, else from the stream: a cancelled delivery is not delivered later.
   */
  async function placeOf(
    endpointUuid: string,
    integrationUuid: string,
  ): Promise<Pick<WebhookEndpointDoc, 'company_uuid' | 'url' | 'enabled'> | undefined> {
    const complete = await isComplete('webhook_endpoints');
    if (complete !== false) {
      const doc = await rememberedDoc(webhookEndpoints.name, endpointUuid);
      if (complete === null && !doc?.enabled) {
        throw new StoreUnavailable('the history can not be asked whether the endpoint is there');
      }
      return doc;
    }
    const { state } = await app.executor.load(integrationAggregate, integrationUuid);
    const endpoint = entryOf(state.endpoints, endpointUuid);
    return endpoint && { company_uuid: state.companyUuid, url: endpoint.url, enabled: endpoint.enabled };
  }

  function open(sealed: string, expiresAt: number): OpenSecret {
    const secret = app.secrets.open(sealed, WEBHOOK_SECRET_CONTEXT);
    return { secret, fingerprint: secretFingerprint(secret), expiresAt };
  }

  return {
    async get(endpointUuid, integrationUuid) {
      const place = await placeOf(endpointUuid, integrationUuid);
      if (!place) return null;
      const { company_uuid, url, enabled } = place;
      const secrets = await secretsOf(integrationUuid);
      return {
        company_uuid,
        url,
        enabled,
        endpoint_uuid: endpointUuid,
        integration_uuid: integrationUuid,
        secrets: () => secrets.filter((secret) => secret.expiresAt > app.clock.now()),
      };
    },
  };
}
