import type { App } from '../../application/app.js';
import { webhookBody } from '../../application/intake.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import type { IntakeEvent } from '../../domain/intake/events.js';
import { intakeStream } from '../../domain/streams.js';
import { parkedUpdates, type ParkedUpdateDoc } from '../../read-models/parked-updates.js';
import { list, one } from '../routes/replies.js';
import { countedPageOf, readDocument, type AdminHandlers } from './support.js';
import { pathParam } from '../middleware/call.js';

/** The webhook that contained an update. */
const webhookOf = (app: App, { webhook_uuid }: ParkedUpdateDoc) =>
  app.store.read(intakeStream.toName(webhook_uuid));

async function present(app: App, doc: ParkedUpdateDoc) {
  const webhook = (await webhookOf(app, doc)).find(({ type }) => type === 'ProviderWebhookReceived');
  return {
    id: doc.id,
    received_at: webhook?.meta.occurred_at ?? doc.parked_at,
    reason: `${doc.kind}: ${doc.reason}`.slice(0, 2_000),
    provider: 'whatsapp',
    bytes: typeof webhook?.data['bytes'] === 'number' ? webhook.data['bytes'] : 0,
  };
}

export const intakeRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listParkedIntake: async (call) => {
    const find = { index: 'all', equals: ['all'], order: 'desc' } as const;
    const scope = { list: 'parked', companyUuid: '', filters: [] };
    const page = await readPage(queries, parkedUpdates.name, find, scope, countedPageOf(call));
    const documents = await Promise.all(page.documents.map((doc) => present(app, doc)));
    return list({ ...page, documents }, (document) => document);
  },

  /**
   * Returns the body as the provider sent it, personal data included: operators need it to see what was not understood.
   */
  getParkedIntake: async ({ params }) => {
    const doc = await readDocument(
      app.readModels,
      parkedUpdates.name,
      pathParam(params, 'id'),
      'parked_webhook',
    );
    const events = await app.codec.decodeAll<IntakeEvent>(await webhookOf(app, doc));
    const body = webhookBody(events.map(({ event }) => event));
    return one({
      ...(await present(app, doc)),
      // Empty once the key of its day is destroyed.
      body: body === null ? '' : body.toString('utf8'),
    });
  },
});
