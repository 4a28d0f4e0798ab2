/**
 * Makes the envelope of an event once for each integration, and keeps it: whoever comes later gets the same bytes.
 * Deliveries and the feed share it.
 */
import type { App } from '../../application/app.js';
import { envelopeIdIn, ERASED, fillGap, MADE } from '../../application/event-feed/envelopes.js';
import { createCache } from '../../ports/cache.js';
import type { Clock } from '../../ports/clock.js';
import type { CollectionName, Document, NameOf, StoredDocument } from '../../ports/read-models.js';
import { eventEnvelopes, type EventEnvelopeDoc } from '../../read-models/event-envelopes.js';
import { envelopeFor, type Envelope, type EnvelopeInput } from '../notifications/envelope.js';
import { upTo } from '../kernel/up-to.js';
import { PassingMap } from '../../ports/passing.js';

/** An envelope takes this of the app. */
export type EnvelopeDeps = Pick<
  App,
  | 'barrier'
  | 'clock'
  | 'envelopesOrderedAfter'
  | 'executor'
  | 'isSkipped'
  | 'mediaLinks'
  | 'project'
  | 'publicUrl'
  | 'readModels'
  | 'store'
>;

export interface KeptEnvelope {
  readonly envelope: Envelope;
  /** Resolves when it is durable: until then its bytes may be shown to nobody. */
  readonly durable: Promise<void>;
  /** The person was erased since it was made. Its body is empty: nothing is left to send. */
  readonly erased?: true;
}

export interface KeepEnvelope {
  /**
   * @param absent the caller has just seen that no envelope is stored, or expects none: it is written without a read. An
   * envelope that is stored after all stays, and is returned. A gap is filled, and leaves the list of gaps when they are
   * tried again
   * @throws what `envelopeFor` throws
   */
  (app: EnvelopeDeps, input: EnvelopeInput, absent?: boolean): Promise<KeptEnvelope | null>;
  /** True where this process has just seen the envelope with this id stored: nobody need ask for it. */
  readonly knows?: (id: string, clock: Pick<Clock, 'monotonic'>) => boolean;
}

/**
 * The feed and the deliveries of a process ask for an envelope within this time of each other. Less than an erasure
 * waits for texts that were made before it (`SETTLING_MS`).
 */
const SHARED_MS = 1_000;
const MOST_SHARED = 1_000;

/**
 * Of one process: makes of the same envelope at about the same time share one.
 * @param oneStore true in the only process of an embedded store, which commits in order: an envelope is handed out
 * before it is durable, so that what depends on it shares its commit
 */
export function createEnvelopeBook(oneStore = false): KeepEnvelope {
  const making = new PassingMap<string, Promise<KeptEnvelope | null>>();
  /** Durable ones. */
  const recent = createCache<string, { readonly kept: KeptEnvelope; readonly at: number }>(MOST_SHARED);

  async function keep(
    app: EnvelopeDeps,
    id: string,
    input: EnvelopeInput,
    absent: boolean,
  ): Promise<KeptEnvelope | null> {
    const at = app.clock.monotonic();
    const forget = (): void => void making.delete(id);
    const made = await make(app, id, input, { oneStore, absent }).catch((error: unknown) => {
      forget();
      throw error;
    });
    if (made === null) {
      forget();
      return null;
    }
    // Before anyone learns of it: who tries again after a failed write makes it again.
    const durable = made.durable.then(() => void recent.set(id, { kept, at })).finally(forget);
    durable.catch(() => undefined);
    const kept: KeptEnvelope = { ...made, durable };
    return kept;
  }

  function recentOf(id: string, clock: Pick<Clock, 'monotonic'>): KeptEnvelope | undefined {
    const known = recent.get(id);
    return known && clock.monotonic() - known.at < SHARED_MS ? known.kept : undefined;
  }

  const keepOnce = async (
    app: EnvelopeDeps,
    input: EnvelopeInput,
    absent = false,
  ): Promise<KeptEnvelope | null> => {
    const recorded = input.history.at(-1);
    if (!recorded) return null;
    const { eventId, integrationUuid } = input;
    const id = envelopeIdIn(app, { eventId, position: recorded.record.position }, integrationUuid);
    const known = recentOf(id, app.clock);
    if (known) return known;
    let kept = making.get(id);
    if (!kept) {
      kept = keep(app, id, input, absent);
      making.set(id, kept);
    }
    return kept;
  };
  return Object.assign(keepOnce, {
    knows: (id: string, clock: Pick<Clock, 'monotonic'>) => recentOf(id, clock) !== undefined,
  });
}

/** The documents of an envelope were often written a moment ago, with the event that it tells of. */
function withLately<Uses extends Pick<App, 'lately' | 'readModels'>>(app: Uses): Uses {
  const { lately, readModels } = app;
  if (!lately) return app;
  const get: typeof readModels.get = async <Doc extends Document>(collection: NameOf<Doc>, id: string) =>
    lately(collection as CollectionName<Doc>, id) ?? readModels.get<Doc>(collection, id);
  return { ...app, readModels: { ...readModels, get } };
}

async function make(
  app: EnvelopeDeps,
  id: string,
  input: EnvelopeInput,
  { oneStore, absent }: { readonly oneStore: boolean; readonly absent: boolean },
): Promise<KeptEnvelope | null> {
  const { readModels } = app;
  // What was absent a moment ago may be there by now. Where the write is not awaited, only a read shows it.
  const before = absent && !oneStore ? undefined : await readModels.get(eventEnvelopes.name, id);
  if (before && before.doc.body !== null) {
    return {
      envelope: { body: before.doc.body, contactUuid: null },
      durable: Promise.resolve(),
      ...erasedIf(before),
    };
  }
  const { position, meta } = input.history.at(-1)!.record;
  // Envelopes contain documents, which must reflect at least this event.
  const made = await envelopeFor(upTo(withLately(app), position), input);
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
    return { envelope: made, durable: durable.then(() => undefined) };
  }
  const mine = before
    ? await fillGap(readModels, id, doc)
    : (await readModels.write(eventEnvelopes.name, [{ id, doc, version: MADE }], { gather: true })).length ===
      0;
  if (mine) return { envelope: made, durable: Promise.resolve() };
  // Another process was first. Removed since: the retention was quicker than a message that came again.
  const theirs = await readModels.get(eventEnvelopes.name, id);
  return {
    envelope: { body: theirs?.doc.body ?? made.body, contactUuid: made.contactUuid },
    durable: Promise.resolve(),
    ...(theirs && erasedIf(theirs)),
  };
}

const erasedIf = ({
  version,
}: Pick<StoredDocument<EventEnvelopeDoc>, 'version'>): { readonly erased?: true } =>
  version >= ERASED ? { erased: true } : {};
