/** What the events feed keeps: operational records outside the event history (docs/adr/0039). */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type EventEnvelopeDoc = {
  readonly company_uuid: CompanyUuid;
  readonly integration_uuid: string;
  readonly event_id: string;
  /** Null: not known, because the event's stream could not be read. */
  readonly event_type: string | null;
  readonly sequence: number;
  /** The body of the event's webhooks, byte for byte (UTF-8). Null: it could not be made yet. */
  readonly body: string | null;
  /** When it was made. */
  readonly made_at: string;
};

export const eventEnvelopes = collection<EventEnvelopeDoc>()({
  name: 'event_envelopes',
  version: 1,
  indexes: { by_integration: ['integration_uuid', 'sequence'] },
  forgets: true,
  packed: true,
});

/** An event whose envelope could not be made. The feed of its integration ends before it. */
export type EventGapDoc = {
  /** Id of its envelope too. */
  readonly gap_uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly integration_uuid: string;
  readonly event_id: string;
  readonly event_type: string | null;
  readonly sequence: number;
  readonly stream: string;
  readonly revision: number;
  /** Id of the recorded event. */
  readonly recorded_id: string;
  readonly position: string;
  /** What the feed shows when an operator leaves the event out; null: nothing. */
  readonly left_out: string | null;
  readonly reason: string;
  readonly since: string;
};

export const eventGaps = collection<EventGapDoc>()({
  name: 'event_gaps',
  version: 1,
  indexes: { oldest: ['since'] },
  forgets: true,
});

/**
 * How far back the feeds go, beside the checkpoint of the follower: by integration the sequence of the last event that
 * the retention removed, under `BEGUN` the sequence after which the follower began, under `ORDERED` the one after
 * which the ids of envelopes begin with their sequence, and under `NEAR` the one after which the ids of deliveries begin
 * like their event's.
 */
export type EventFeedStart = { readonly sequence: number };

export const BEGUN = 'begun';
export const ORDERED = 'ordered';
export const NEAR = 'near';
export const FEED = 'event_feed@1';

export const eventFeed = collection<EventFeedStart>()({ name: 'event_feed', version: 1, indexes: {} });
