/** Reads an integration's events, in the order of the history, up to where none can come in between any more. */
import { Refusal } from '../../domain/kernel/refusal.js';
import {
  BEGUN,
  eventEnvelopes,
  eventFeed,
  FEED,
  type EventEnvelopeDoc,
} from '../../read-models/event-envelopes.js';
import { eventFeeds } from '../../read-models/event-feeds.js';
import type { App } from '../app.js';

export type FeedApp = Pick<App, 'readModels' | 'store'>;

export interface FeedRequest {
  readonly integrationUuid: string;
  /** Sequence of the last event that the reader has; left out: from the oldest that is kept. */
  readonly after?: number | undefined;
  readonly limit: number;
  /** Left out: all. */
  readonly types?: ReadonlySet<string> | undefined;
}

export interface FeedEvent {
  readonly sequence: number;
  readonly type: string;
  /** The webhook's body, byte for byte. */
  readonly body: string;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** What to read after: the sequence of the last event that was looked at, also if its type was not wanted. */
  readonly next: number;
  readonly more: boolean;
  /** The next event cannot be made yet. */
  readonly waiting: boolean;
}

/** Documents per read, and reads of one page that looks for few types among many events. */
const LOOKED_AT = 200;
const LOOKS = 5;

/**
 * @throws Refusal events_feed_off when the integration keeps no events; events_expired when events after `after` are no
 * longer kept, or `after` is beyond the feed
 */
export async function readFeed(app: FeedApp, request: FeedRequest): Promise<FeedPage> {
  const { readModels } = app;
  const { integrationUuid, limit, types } = request;
  const upTo = await watermark(app);
  const begin = request.after ?? (await floorOf(app, integrationUuid));
  const events: FeedEvent[] = [];
  let next = begin;
  let more = true;
  let waiting = false;
  for (let looks = 0; more && !waiting && looks < LOOKS && events.length < limit; looks += 1) {
    const found = await readModels.find(eventEnvelopes.name, {
      index: 'by_integration',
      equals: [integrationUuid],
      order: 'asc',
      after: [next, LAST_ID],
      limit: types === undefined ? limit - events.length : LOOKED_AT,
    });
    more = found.next !== null;
    for (const { doc } of found.documents) {
      if (doc.sequence > upTo) {
        more = false;
        break;
      }
      if (doc.body === null || doc.event_type === null) {
        waiting = true;
        break;
      }
      if (events.length === limit) {
        more = true;
        break;
      }
      next = doc.sequence;
      if (types === undefined || types.has(doc.event_type))
        events.push({ sequence: doc.sequence, type: doc.event_type, body: doc.body });
    }
  }
  // Read last: what the retention removed before the documents were read is then known.
  if (request.after !== undefined) await refuseBeyond(app, integrationUuid, request.after, upTo);
  return { events, next, more: more && !waiting, waiting };
}

/**
 * Where a live reader begins: after the sequence that it names, or after the newest event.
 * @throws Refusal events_feed_off, events_expired
 */
export async function beginAt(app: FeedApp, integrationUuid: string, after?: number): Promise<number> {
  const upTo = await watermark(app);
  if (after === undefined) return Math.max(upTo, await floorOf(app, integrationUuid));
  await refuseBeyond(app, integrationUuid, after, upTo);
  return after;
}

/** Sequence of the newest event up to which all envelopes are made. */
export const watermark = async ({ readModels, store }: FeedApp): Promise<number> =>
  store.sequenceOf(await readModels.checkpoint(FEED));

/** Sorts after every uuid: `after` means all events of that sequence. */
const LAST_ID = 'g';

async function refuseBeyond(
  app: FeedApp,
  integrationUuid: string,
  after: number,
  upTo: number,
): Promise<void> {
  const floor = await floorOf(app, integrationUuid);
  if (after >= floor && after <= Math.max(upTo, floor)) return;
  const found = await app.readModels.find(eventEnvelopes.name, {
    index: 'by_integration',
    equals: [integrationUuid],
    order: 'asc',
    after: [floor, LAST_ID],
    limit: 1,
  });
  const oldest: EventEnvelopeDoc | undefined = found.documents[0]?.doc;
  throw new Refusal(
    'events_expired',
    after < floor
      ? 'Events after this sequence are no longer kept. Read the present state of what you need, then continue after `continue_after`.'
      : 'This sequence is beyond the newest event: the service may have been restored from a copy. Read the present state of what you need, then continue after `continue_after`.',
    { after, oldest_sequence: oldest?.sequence ?? null, continue_after: after < floor ? floor : upTo },
  );
}

/** Every event after this sequence is kept. @throws Refusal events_feed_off */
async function floorOf({ readModels, store }: FeedApp, integrationUuid: string): Promise<number> {
  const [feed, starts] = await Promise.all([
    readModels.get(eventFeeds.name, integrationUuid),
    readModels.getMany(eventFeed.name, [BEGUN, integrationUuid]),
  ]);
  const since = feed?.doc.kept_since ?? null;
  if (since === null) {
    throw new Refusal(
      'events_feed_off',
      'This integration keeps no events. Create a webhook endpoint, or have the operator switch the feed on: recado integrations update <integration_uuid> --events-feed on.',
    );
  }
  return Math.max(store.sequenceOf(since), ...starts.map(({ doc }) => doc.sequence));
}
