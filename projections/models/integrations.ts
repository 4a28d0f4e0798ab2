import type { IntegrationEvent } from '../../domain/integration/events.js';
import { integrationStream } from '../../domain/streams.js';
import { integrations as collection, type IntegrationDoc } from '../../read-models/integrations.js';
import { defineProjection } from '../projection.js';

/** What still signs of the secrets before the one that is replaced now. */
function earlierSecrets(
  {
    previous_secret_sealed: sealed,
    previous_expires_at: until,
    earlier_secrets: before = [],
  }: IntegrationDoc,
  { occurred_at: now }: { readonly occurred_at: string },
): NonNullable<IntegrationDoc['earlier_secrets']> {
  const previous = sealed === null || until === null ? [] : [{ sealed, expires_at: until }];
  return [...previous, ...before].filter(({ expires_at }) => Date.parse(expires_at) > Date.parse(now));
}

export const integrations = defineProjection<IntegrationDoc, IntegrationEvent>({
  collection,
  handles: ['IntegrationRegistered', 'WebhookSecretRotated'],
  documentId: ({ record }) => integrationStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    switch (event.type) {
      case 'IntegrationRegistered':
        return {
          uuid,
          company_uuid: event.data.company_uuid,
          name: event.data.name,
          webhook_secret_sealed: event.data.webhook_secret_sealed,
          previous_secret_sealed: null,
          previous_expires_at: null,
          created_at: record.meta.occurred_at,
        };
      case 'WebhookSecretRotated': {
        if (!doc) return null;
        const { earlier_secrets: _before, ...rest } = doc;
        const earlier = event.data.previous_secret_sealed === null ? [] : earlierSecrets(doc, record.meta);
        return {
          ...rest,
          webhook_secret_sealed: event.data.secret_sealed,
          previous_secret_sealed: event.data.previous_secret_sealed,
          previous_expires_at: event.data.previous_expires_at,
          ...(earlier.length > 0 ? { earlier_secrets: earlier } : {}),
        };
      }
      default:
        return doc ?? null;
    }
  },
});
