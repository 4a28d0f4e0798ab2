/**
 * The envelopes that the events feed shows: one document per event and integration. Its version says what happened to
 * it, and only grows: a gap, the body that was made (the first write wins), the body of an erased person, removed.
 */
import { deriveId } from '../../domain/kernel/ids.js';
import { readableOrNull, type ReadModels } from '../../ports/read-models.js';
import { eventEnvelopes, eventGaps, type EventEnvelopeDoc } from '../../read-models/event-envelopes.js';

export const GAP = '0000000000';
export const MADE = '0000000001';
export const ERASED = '0000000002';
export const REMOVED = '0000000003';

/** Id of the one envelope of a webhook event for an integration. */
export const envelopeIdOf = (webhookEventId: string, integrationUuid: string): string =>
  deriveId('envelope', webhookEventId, integrationUuid);

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
