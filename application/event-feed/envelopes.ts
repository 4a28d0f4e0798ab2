/**
 * The envelopes that the events feed shows: one document per event and integration. Its version says what happened to
 * it, and only grows: a gap, the body that was made (the first write wins), the body of an erased person, removed.
 */
import { beginningWith, deriveId } from '../../domain/kernel/ids.js';
import { readableOrNull, type ReadModels } from '../../ports/read-models.js';
import type { EventStore, Position } from '../../ports/event-store.js';
import {
  eventEnvelopes,
  eventFeed,
  eventGaps,
  type NEAR,
  type ORDERED,
  type EventEnvelopeDoc,
} from '../../read-models/event-envelopes.js';
import type { App } from '../app.js';

export const GAP = '0000000000';
export const MADE = '0000000001';
export const ERASED = '0000000002';
export const REMOVED = '0000000003';

export interface FeedEvent {
  /** Of its webhooks. */
  readonly eventId: string;
  readonly sequence: number;
}

/** Of a uuid: eight digits, a hyphen, four digits. */
const SEQUENCE_DIGITS = 12;

/**
 * Id of the one envelope of an event for an integration. Later ones begin with the sequence, so that envelopes which are
 * written together are neighbours in the index of ids: each of the earlier ones has a page of its own to write.
 *
 * @param orderedAfter `App.envelopesOrderedAfter`
 */
export function envelopeIdOf(
  { eventId, sequence }: FeedEvent,
  integrationUuid: string,
  orderedAfter = Infinity,
): string {
  const derived = deriveId('envelope', eventId, integrationUuid);
  if (sequence <= orderedAfter) return derived;
  const digits = sequence.toString(16).padStart(SEQUENCE_DIGITS, '0');
  return beginningWith(`${digits.slice(0, 8)}-${digits.slice(8)}`, derived);
}

/** The same for an event of the application's history. */
export const envelopeIdIn = (
  { envelopesOrderedAfter, store }: Pick<App, 'envelopesOrderedAfter' | 'store'>,
  { eventId, position }: { readonly eventId: string; readonly position: Position },
  integrationUuid: string,
): string =>
  envelopeIdOf({ eventId, sequence: store.sequenceOf(position) }, integrationUuid, envelopesOrderedAfter());

/**
 * The sequence after which the ids of envelopes, or those of deliveries, are of the newer kind: the end of the history
 * at the first start that makes them. Only for a store of one process, because no other one may make envelopes meanwhile.
 */
export async function beginOrder(
  readModels: Pick<ReadModels, 'get' | 'write'>,
  store: Pick<EventStore, 'head' | 'sequenceOf'>,
  which: typeof ORDERED | typeof NEAR,
): Promise<number> {
  const known = await readModels.get(eventFeed.name, which);
  if (known) return known.doc.sequence;
  const sequence = store.sequenceOf(await store.head());
  await readModels.write(eventFeed.name, [{ id: which, doc: { sequence }, version: '1' }]);
  return sequence;
}

/** The envelope with empty `data`: of an erased person, or of an event that an operator left out. */
export function emptied(body: string): string {
  const { id, type, api_version, created_at, sequence } = readableOrNull(body) ?? {};
  return JSON.stringify({ id, type, api_version, created_at, sequence, data: {} });
}

/** Fills a gap, if it is still one, and removes it from the list of gaps. False when somebody else has filled it. */
export async function fillGap(
  readModels: Pick<ReadModels, 'write'>,
  id: string,
  doc: EventEnvelopeDoc | null,
): Promise<boolean> {
  // An event of no type is no webhook event: nothing is to be shown of it.
  const version = doc === null ? REMOVED : MADE;
  const stay = await readModels.write(eventEnvelopes.name, [{ id, doc, version }]);
  await readModels.write(eventGaps.name, [{ id, doc: null, version }]);
  return stay.length === 0;
}
