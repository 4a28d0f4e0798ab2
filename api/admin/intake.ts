import type { App } from '../../application/app.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import type { IntakeEvent } from '../../domain/intake/events.js';
import { intakeStream } from '../../domain/intake/stream.js';
import type { ParkedUpdateDoc } from '../../projections/models/parked-updates.js';
import { list, one, pageOf } from '../routes/replies.js';
import { readDocument, type AdminHandlers } from './support.js';

/** The webhook an update came in. */
async function webhookOf(app: App, { webhook_uuid }: ParkedUpdateDoc) {
  const [record] = await app.store.read(intakeStream.toName(webhook_uuid), { limit: 1 });
  return record;
}

async function present(app: App, doc: ParkedUpdateDoc) {
  const webhook = await webhookOf(app, doc);
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
    const page = await readPage<ParkedUpdateDoc>(queries, 'parked_updates', find, scope, pageOf(call));
    const documents = await Promise.all(page.documents.map((doc) => present(app, doc)));
    return list({ ...page, documents }, (document) => document);
  },

  /** The body is what the provider sent, personal data and all: without it nobody can tell what was not understood. */
  getParkedIntake: async ({ params }) => {
    const doc = await readDocument<ParkedUpdateDoc>(
      app.readModels,
      'parked_updates',
      params['id']!,
      'parked_webhook',
    );
    const webhook = await webhookOf(app, doc);
    const [recorded] = webhook ? await app.codec.decodeAll<IntakeEvent>([webhook]) : [];
    const body = recorded?.event.type === 'ProviderWebhookReceived' ? recorded.event.data.body : null;
    return one({
      ...(await present(app, doc)),
      // Empty once the key of its day is destroyed.
      body: body === null ? '' : Buffer.from(body, 'base64').toString('utf8'),
    });
  },
});
