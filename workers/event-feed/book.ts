/**
 * Makes the envelope of an event once for each integration, and keeps it: whoever comes later gets the same bytes.
 * Deliveries and the feed share it.
 */
import type { App } from '../../application/app.js';
import { envelopeIdOf, fillGap, MADE } from '../../application/event-feed/envelopes.js';
import { eventEnvelopes, type EventEnvelopeDoc } from '../../read-models/event-envelopes.js';
import { envelopeFor, type Envelope, type EnvelopeInput } from '../notifications/envelope.js';
import { upTo } from '../kernel/up-to.js';

export interface KeptEnvelope {
  readonly envelope: Envelope;
  /** Resolves when it is durable: until then its bytes may be shown to nobody. */
  readonly durable: Promise<void>;
}

/** @throws what `envelopeFor` throws */
export type KeepEnvelope = (app: App, input: EnvelopeInput) => Promise<KeptEnvelope | null>;

/**
 * Of one process: makes of the same envelope at the same time share one.
 * @param oneStore true in the only process of an embedded store, which commits in order: an envelope is handed out
 * before it is durable, so that what depends on it shares its commit
 */
export function createEnvelopeBook(oneStore = false): KeepEnvelope {
  const making = new Map<string, Promise<KeptEnvelope | null>>();

  async function keep(app: App, id: string, input: EnvelopeInput): Promise<KeptEnvelope | null> {
    const forget = (): void => void making.delete(id);
    const made = await make(app, id, input, oneStore).catch((error: unknown) => {
      forget();
      throw error;
    });
    if (made === null) {
      forget();
      return null;
    }
    // Forgotten before anyone learns of it: who tries again after a failed write makes it again.
    const durable = made.durable.finally(forget);
    durable.catch(() => undefined);
    return { ...made, durable };
  }

  return (app, input) => {
    const id = envelopeIdOf(input.eventId, input.integrationUuid);
    let kept = making.get(id);
    if (!kept) {
      kept = keep(app, id, input);
      making.set(id, kept);
    }
    return kept;
  };
}

async function make(
  app: App,
  id: string,
  input: EnvelopeInput,
  oneStore: boolean,
): Promise<KeptEnvelope | null> {
  const { readModels } = app;
  const before = await readModels.get(eventEnvelopes.name, id);
  if (before && before.doc.body !== null) {
    return { envelope: { body: before.doc.body, contactUuid: null }, durable: Promise.resolve() };
  }
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
  if (oneStore && !before) {
    const durable = readModels.write(eventEnvelopes.name, [{ id, doc, version: MADE }]);
    return { envelope: made, durable };
  }
  if (before) await fillGap(readModels, id, doc);
  else await readModels.write(eventEnvelopes.name, [{ id, doc, version: MADE }]);
  // Another process may have been first. Removed since: the retention was quicker than a message that came again.
  const body = (await readModels.get(eventEnvelopes.name, id))?.doc.body;
  return { envelope: { body: body ?? made.body, contactUuid: made.contactUuid }, durable: Promise.resolve() };
}
