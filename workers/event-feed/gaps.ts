/** Events whose envelope cannot be made: kept as gaps, which the feed of the integration waits at (docs/adr/0039). */
import type { App } from '../../application/app.js';
import { envelopeIdOf, fillGap, GAP } from '../../application/event-feed/envelopes.js';
import { allDocuments } from '../../application/provisioning/documents.js';
import {
  eventEnvelopes,
  eventGaps,
  type EventEnvelopeDoc,
  type EventGapDoc,
} from '../../read-models/event-envelopes.js';
import type { WebhookEventType } from '../notifications/event-kind.js';
import { API_VERSION } from '../notifications/envelope.js';
import { makeEnvelopes } from './make.js';
import type { KeepEnvelope, EnvelopeDeps } from './book.js';
import type { MissingEvent } from './events.js';

/** The envelope first: a listed gap without one would be taken for one that the retention removed. */
export async function openGaps(
  {
    readModels,
    store,
    clock,
    logger,
    envelopesOrderedAfter,
  }: Pick<App, 'clock' | 'envelopesOrderedAfter' | 'logger' | 'readModels' | 'store'>,
  { record, eventId, integrations }: MissingEvent,
  type: WebhookEventType | null,
  reason: string,
): Promise<void> {
  const at = new Date(clock.now()).toISOString();
  const sequence = store.sequenceOf(record.position);
  const left_out =
    type === null
      ? null
      : JSON.stringify({
          id: eventId,
          type,
          api_version: API_VERSION,
          created_at: record.meta.occurred_at,
          sequence,
          data: {},
        });
  const gaps = integrations.map((integration): { readonly id: string; readonly doc: EventGapDoc } => {
    const id = envelopeIdOf({ eventId, sequence }, integration, envelopesOrderedAfter());
    const doc: EventGapDoc = {
      gap_uuid: id,
      company_uuid: record.meta.company,
      integration_uuid: integration,
      event_id: eventId,
      event_type: type,
      sequence,
      stream: record.stream,
      revision: record.revision,
      recorded_id: record.eventId,
      position: record.position,
      left_out,
      reason,
      since: at,
    };
    return { id, doc };
  });
  const envelopes = gaps.map(({ id, doc }) => ({ id, doc: envelopeOf(doc, null, at), version: GAP }));
  await readModels.write(eventEnvelopes.name, envelopes);
  await readModels.write(
    eventGaps.name,
    gaps.map(({ id, doc }) => ({ id, doc, version: GAP })),
  );
  logger.error(
    { event_id: record.eventId, stream: record.stream, integrations, reason },
    'an event could not be added to the events feed, which waits before it',
  );
}

const envelopeOf = (gap: EventGapDoc, body: string | null, made_at: string): EventEnvelopeDoc => ({
  company_uuid: gap.company_uuid,
  integration_uuid: gap.integration_uuid,
  event_id: gap.event_id,
  event_type: gap.event_type,
  sequence: gap.sequence,
  body,
  made_at,
});

/** Tries each gap again. Those that others have filled meanwhile leave the list. */
export async function retryGaps(
  app: EnvelopeDeps & Pick<App, 'codec' | 'logger'>,
  keep: KeepEnvelope,
  stopping: () => boolean,
): Promise<void> {
  for await (const { id, doc } of allDocuments(app, eventGaps.name, 'oldest', [])) {
    if (stopping()) return;
    const stored = await app.readModels.get(eventEnvelopes.name, id);
    if (!stored || stored.doc.body !== null) {
      await fillGap(app.readModels, id, stored?.doc ?? null);
      continue;
    }
    const event = { ...doc, event_id: doc.recorded_id };
    await makeEnvelopes(app, keep, event, doc.event_id, [doc.integration_uuid]).then(
      (type) => (type === null ? fillGap(app.readModels, id, null) : undefined),
      (error: unknown) => app.logger.debug({ err: error, gap: id }, 'a gap in the events feed remains'),
    );
  }
}
