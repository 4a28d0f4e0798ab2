/** Events of an erased person stay in the feed, with empty `data`: readers must not find a hole where they were. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { NOTIFIABLE } from '../relay.js';
import { webhookEventId } from '../provisioning/webhooks.js';
import { allDocuments } from '../provisioning/documents.js';
import { eventEnvelopes } from '../../read-models/event-envelopes.js';
import { eventFeeds } from '../../read-models/event-feeds.js';
import type { App } from '../app.js';
import { emptied, envelopeIdIn, ERASED } from './envelopes.js';

/** @param streams every stream of the person; returns the number of envelopes that were emptied */
export async function emptyEnvelopes(
  app: Pick<App, 'envelopesOrderedAfter' | 'readModels' | 'store'>,
  companyUuid: CompanyUuid,
  streams: readonly string[],
): Promise<number> {
  const integrations: string[] = [];
  for await (const { id } of allDocuments(app, eventFeeds.name, 'by_company', [companyUuid]))
    integrations.push(id);
  if (integrations.length === 0) return 0;
  let count = 0;
  for (const stream of streams) {
    const events = (await app.store.read(stream)).filter(({ type }) => NOTIFIABLE.has(type));
    const ids = events.flatMap(({ eventId, position }) => {
      const event = { eventId: webhookEventId(eventId), position };
      return integrations.map((integration) => envelopeIdIn(app, event, integration));
    });
    const stored = await app.readModels.getMany(eventEnvelopes.name, ids);
    const full = stored.flatMap(({ id, doc, version }) =>
      doc.body === null || version >= ERASED
        ? []
        : [{ id, doc: { ...doc, body: emptied(doc.body) }, version: ERASED }],
    );
    if (full.length > 0) await app.readModels.write(eventEnvelopes.name, full);
    count += full.length;
  }
  return count;
}
