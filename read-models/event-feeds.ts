/** Which integrations keep their events for the feed (docs/adr/0039). */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { Position } from '../ports/event-store.js';
import { collection } from './collection.js';

export type EventFeedDoc = {
  readonly integration_uuid: string;
  readonly company_uuid: CompanyUuid;
  /** An operator switched it on: events are kept without an endpoint too. */
  readonly switched_on: boolean;
  readonly endpoints: readonly string[];
  /** Position of the event since which every event is kept; null while none is. */
  readonly kept_since: Position | null;
};

export const eventFeeds = collection<EventFeedDoc>()({
  name: 'event_feeds',
  version: 1,
  indexes: { by_company: ['company_uuid', 'integration_uuid'] },
});
