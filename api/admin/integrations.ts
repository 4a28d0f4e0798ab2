import type { App } from '../../application/app.js';
import { issueApiKey, revokeApiKey } from '../../application/provisioning/api-keys.js';
import {
  registerIntegration,
  rotateWebhookSecret,
  switchEventFeed,
} from '../../application/provisioning/integrations.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { list, one } from '../routes/replies.js';
import { apiKeys, type ApiKeyDoc } from '../../read-models/api-keys.js';
import { companies } from '../../read-models/companies.js';
import { eventFeeds } from '../../read-models/event-feeds.js';
import { integrations, type IntegrationDoc } from '../../read-models/integrations.js';
import { keyUsage } from '../../read-models/key-usage.js';
import {
  commander,
  countedPageOf,
  created,
  nothing,
  readAll,
  readDocument,
  readWritten,
  unpaged,
  type AdminHandlers,
} from './support.js';
import { pathParam } from '../middleware/call.js';

/** When the last of the earlier secrets ends: an older one may have a longer overlap. ISO 8601 in UTC sorts as text. */
const lastExpiry = ({
  previous_expires_at: until,
  earlier_secrets: earlier = [],
}: IntegrationDoc): string | null =>
  [until, ...earlier.map(({ expires_at }) => expires_at)].reduce(
    (last, time) => (last === null || (time !== null && time > last) ? time : last),
    null,
  );

const present = (doc: IntegrationDoc, eventsFeed: boolean) => ({
  uuid: doc.uuid,
  company_uuid: doc.company_uuid,
  name: doc.name,
  previous_secret_expires_at: lastExpiry(doc),
  events_feed: eventsFeed,
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
    readDocument(readModels, integrations.name, uuid, 'integration');

  return {
    listIntegrations: async (call) => {
      const company = pathParam(call.params, 'company_uuid');
      await readDocument(readModels, companies.name, company, 'company');
      const find = { index: 'by_company', equals: [company], order: 'asc' } as const;
      const scope = { list: 'integrations', companyUuid: company, filters: [] };
      const page = await readPage(queries, integrations.name, find, scope, countedPageOf(call));
      const feeds = await readModels.getMany(
        eventFeeds.name,
        page.documents.map(({ uuid }) => uuid),
      );
      const on = new Set(feeds.filter(({ doc }) => doc.switched_on).map(({ id }) => id));
      return list(page, (doc) => present(doc, on.has(doc.uuid)));
    },

    createIntegration: async (call, { name }: { readonly name: string }) => {
      const input = { companyUuid: pathParam(call.params, 'company_uuid'), name };
      const made = await registerIntegration(app, input, commander(call));
      const doc = await readWritten(app, integrations.name, made.integrationUuid, made.position);
      return created({ ...present(doc, false), webhook_secret: made.webhookSecret });
    },

    getIntegration: async ({ params }) => {
      const doc = await integration(pathParam(params, 'integration_uuid'));
      const feed = await readModels.get(eventFeeds.name, doc.uuid);
      return one(present(doc, feed?.doc.switched_on ?? false));
    },

    changeIntegration: async (call, { events_feed: on }: { readonly events_feed: boolean }) => {
      const integrationUuid = pathParam(call.params, 'integration_uuid');
      const { position } = await switchEventFeed(app, { integrationUuid, on }, commander(call));
      if (position !== null) await readWritten(app, eventFeeds.name, integrationUuid, position);
      return one(present(await integration(integrationUuid), on));
    },

    rotateWebhookSecret: async (call, body?: { readonly grace_seconds?: number }) => {
      const input = {
        integrationUuid: pathParam(call.params, 'integration_uuid'),
        graceSeconds: body?.grace_seconds,
      };
      const { webhookSecret, previousExpiresAt } = await rotateWebhookSecret(app, input, commander(call));
      return one({ webhook_secret: webhookSecret, previous_expires_at: previousExpiresAt });
    },

    listApiKeys: async ({ params }) => {
      const uuid = pathParam(params, 'integration_uuid');
      await integration(uuid);
      const keys = await readAll(readModels, apiKeys.name, 'by_integration', [uuid]);
      const ids = keys.map(({ key_id }) => key_id);
      const used = new Map(
        (await readModels.getMany(keyUsage.name, ids)).map(({ id, doc }) => [id, doc.last_used_at]),
      );
      return unpaged(keys.map((key) => presentKey(key, used.get(key.key_id) ?? null)));
    },

    createApiKey: async (call, body: { readonly label: string; readonly scopes: readonly string[] }) => {
      const { label, scopes } = body;
      const input = { integrationUuid: pathParam(call.params, 'integration_uuid'), label, scopes };
      const { keyId, apiKey, position } = await issueApiKey(app, input, commander(call));
      const doc = await readWritten(app, apiKeys.name, keyId, position);
      return created({ ...presentKey(doc, null), api_key: apiKey });
    },

    revokeApiKey: async (call) => {
      const input = {
        integrationUuid: pathParam(call.params, 'integration_uuid'),
        keyId: pathParam(call.params, 'key_id'),
      };
      const { position } = await revokeApiKey(app, input, commander(call));
      await readWritten(app, apiKeys.name, input.keyId, position);
      return nothing;
    },
  };
}
