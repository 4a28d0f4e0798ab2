/**
 * Makes the envelope of an event once for each integration, and keeps it: whoever comes later gets the same bytes.
 * Deliveries and the feed share it.
 */
import type { App } from '../../application/app.js';
import { envelopeIdOf, fillGap, MADE } from '../../application/event-feed/envelopes.js';
import { createCache } from '../../ports/cache.js';
import { eventEnvelopes, type EventEnvelopeDoc } from '../../read-models/event-envelopes.js';
import { envelopeFor, type Envelope, type EnvelopeInput } from '../notifications/envelope.js';
import { upTo } from '../kernel/up-to.js';

/**
 * @param absent the caller has just seen that there is none, nor a gap in its place
 * @throws what `envelopeFor` throws
 */
export type KeepEnvelope = (app: App, input: EnvelopeInput, absent?: boolean) => Promise<Envelope | null>;

/**
 * The feed and the deliveries of a process ask for an envelope within this time of each other. Less than an erasure
 * waits for texts that were made before it (`SETTLING_MS`).
 */
const SHARED_MS = 1_000;
const MOST_SHARED = 1_000;

/** Of one process: makes of the same envelope at about the same time share one. */
export function createEnvelopeBook(): KeepEnvelope {
  const making = new Map<string, Promise<Envelope | null>>();
  const recent = createCache<string, { readonly made: Envelope; readonly at: number }>(MOST_SHARED);
  return async (app, input, absent = false) => {
    const id = envelopeIdOf(input.eventId, input.integrationUuid);
    const { clock } = app;
    const known = recent.get(id);
    if (known && clock.monotonic() - known.at < SHARED_MS) return known.made;
    let shared = making.get(id);
    if (!shared) {
      const at = clock.monotonic();
      shared = keep(app, id, input, absent)
        .then((made) => {
          if (made) recent.set(id, { made, at });
          return made;
        })
        .finally(() => making.delete(id));
      making.set(id, shared);
    }
    return shared;
  };
}

async function keep(app: App, id: string, input: EnvelopeInput, absent: boolean): Promise<Envelope | null> {
  const { readModels } = app;
  const before = absent ? undefined : await readModels.get(eventEnvelopes.name, id);
  if (before && before.doc.body !== null) return { body: before.doc.body, contactUuid: null };
  const recorded = input.history[input.history.length - 1];
  if (recorded === undefined) return null;
  const { position, meta } = recorded.record;
  // Envelopes contain documents, which must reflect at least this event.
  const made = await envelopeFor(upTo(app, position), input);
  if (made === null) {
    if (before) await fillGap(readModels, id, null);
    return null;
  }
  const doc: EventEnvelopeDoc = {
    company_uuid: meta.company,
    integration_uuid: input.integrationUuid,
    event_id: input.eventId,
    event_type: input.type,
    sequence: app.store.sequenceOf(position),
    body: made.body,
    made_at: new Date(app.clock.now()).toISOString(),
  };
  if (before) await fillGap(readModels, id, doc);
  else await readModels.write(eventEnvelopes.name, [{ id, doc, version: MADE }]);
  // Another process may have been first. Removed since: the retention was quicker than a message that came again.
  const body = (await readModels.get(eventEnvelopes.name, id))?.doc.body;
  return { body: body ?? made.body, contactUuid: made.contactUuid };
}
