import { notFound } from '../provisioning/common.js';
import { eventGaps, type EventGapDoc } from '../../read-models/event-envelopes.js';
import type { App } from '../app.js';
import { fillGap } from './envelopes.js';

/**
 * The operator's decision that the feed goes on without the event: it appears with empty `data`, or, if its type is not
 * known, not at all. An envelope that was made meanwhile stays.
 * @throws Refusal not_found
 */
export async function leaveOut(
  { readModels, clock }: Pick<App, 'readModels' | 'clock'>,
  gapUuid: string,
): Promise<EventGapDoc> {
  const stored = await readModels.get(eventGaps.name, gapUuid);
  if (!stored) throw notFound('event_gap', 'gap in the events feed');
  const { company_uuid, integration_uuid, event_id, event_type, sequence, left_out } = stored.doc;
  const made_at = new Date(clock.now()).toISOString();
  const envelope =
    left_out === null
      ? null
      : { company_uuid, integration_uuid, event_id, event_type, sequence, body: left_out, made_at };
  await fillGap(readModels, gapUuid, envelope);
  return stored.doc;
}
