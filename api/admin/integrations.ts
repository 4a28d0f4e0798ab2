import type { App } from '../../application/app.js';
import { issueApiKey, revokeApiKey } from '../../application/provisioning/api-keys.js';
import { registerIntegration, rotateWebhookSecret } from '../../application/provisioning/integrations.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import type { ApiKeyDoc } from '../../projections/models/api-keys.js';
import type { IntegrationDoc } from '../../projections/models/integrations.js';
import { KEY_USAGE, type KeyUsageDoc } from '../middleware/key-usage.js';
import { list, one, pageOf } from '../routes/replies.js';
import {
  commander,
  created,
  nothing,
  readAll,
  readDocument,
  readWritten,
  unpaged,
  type AdminHandlers,
} from './support.js';

const present = (doc: IntegrationDoc) => ({
  uuid: doc.uuid,
  company_uuid: doc.company_uuid,
  name: doc.name,
  previous_secret_expires_at: doc.previous_expires_at,
  created_at: doc.created_at,
});

const presentKey = (doc: ApiKeyDoc, lastUsedAt: string | null) => ({
  key_id: doc.key_id,
  label: doc.label,
  scopes: doc.scopes,
  prefix: `recado_api_${doc.key_id}`,
  created_at: doc.created_at,
  last_used_at: lastUsedAt,
  revoked_at: doc.revoked_at,
});

export function integrationRoutes(app: App, queries: QueryDeps): AdminHandlers {
  const { readModels } = app;
  const integration = (uuid: string): Promise<IntegrationDoc> =>
    readDocument<IntegrationDoc>(readModels, 'integrations', uuid, 'integration');

  return {
    listIntegrations: async (call) => {
      const company = call.params['company_uuid']!;
      await readDocument(readModels, 'companies', company, 'company');
      const find = { index: 'by_company', equals: [company], order: 'asc' } as const;
      const scope = { list: 'integrations', companyUuid: company, filters: [] };
      return list(
        await readPage<IntegrationDoc>(queries, 'integrations', find, scope, pageOf(call)),
        present,
      );
    },

    createIntegration: async (call) => {
      const { name } = call.body as { readonly name: string };
      const input = { companyUuid: call.params['company_uuid']!, name };
      const made = await registerIntegration(app, input, commander(call));
      const doc = await readWritten<IntegrationDoc>(app, 'integrations', made.integrationUuid, made.position);
      return created({ ...present(doc), webhook_secret: made.webhookSecret });
    },

    getIntegration: async ({ params }) => one(present(await integration(params['integration_uuid']!))),

    rotateWebhookSecret: async (call) => {
      const { grace_seconds } = (call.body ?? {}) as { readonly grace_seconds?: number };
      const input = { integrationUuid: call.params['integration_uuid']!, graceSeconds: grace_seconds };
      const { webhookSecret, previousExpiresAt } = await rotateWebhookSecret(app, input, commander(call));
      return one({ webhook_secret: webhookSecret, previous_expires_at: previousExpiresAt });
    },

    listApiKeys: async ({ params }) => {
      const uuid = params['integration_uuid']!;
      await integration(uuid);
      const keys = await readAll<ApiKeyDoc>(readModels, 'api_keys', 'by_integration', [uuid]);
      const ids = keys.map(({ key_id }) => key_id);
      const used = new Map(
        (await readModels.getMany<KeyUsageDoc>(KEY_USAGE.name, ids)).map(({ id, doc }) => [
          id,
          doc.last_used_at,
        ]),
      );
      return unpaged(keys.map((key) => presentKey(key, used.get(key.key_id) ?? null)));
    },

    createApiKey: async (call) => {
      const { label, scopes } = call.body as { readonly label: string; readonly scopes: readonly string[] };
      const input = { integrationUuid: call.params['integration_uuid']!, label, scopes };
      const { keyId, apiKey, position } = await issueApiKey(app, input, commander(call));
      const doc = await readWritten<ApiKeyDoc>(app, 'api_keys', keyId, position);
      return created({ ...presentKey(doc, null), api_key: apiKey });
    },

    revokeApiKey: async (call) => {
      const { integration_uuid, key_id } = call.params;
      const input = { integrationUuid: integration_uuid!, keyId: key_id! };
      const { position } = await revokeApiKey(app, input, commander(call));
      await readWritten(app, 'api_keys', input.keyId, position);
      return nothing;
    },
  };
}
