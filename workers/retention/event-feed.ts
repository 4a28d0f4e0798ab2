/** The events feed goes back as far as the delivery log: what is older is removed, from the oldest on. */
import { REMOVED } from '../../application/event-feed/envelopes.js';
import type { App } from '../../application/app.js';
import { eventEnvelopes, eventFeed } from '../../read-models/event-envelopes.js';
import { eventFeeds } from '../../read-models/event-feeds.js';

const PAGE = 50;

/** Removes the envelopes made before `before` (ISO 8601); returns their number. */
export async function sweepEventFeeds(
  { readModels }: Pick<App, 'readModels'>,
  before: string,
  stopping: () => boolean,
): Promise<number> {
  let removed = 0;
  let after: string | null = null;
  while (!stopping()) {
    const feeds = await readModels.scan(eventFeeds.name, { after, limit: PAGE, order: 'asc' });
    for (const { id } of feeds) removed += await sweepFeed(id);
    const last = feeds.at(-1);
    if (last === undefined || feeds.length < PAGE) return removed;
    after = last.id;
  }
  return removed;

  async function sweepFeed(integration: string): Promise<number> {
    for (let count = 0; ;) {
      const { documents } = await readModels.find(eventEnvelopes.name, {
        index: 'by_integration',
        equals: [integration],
        order: 'asc',
        limit: PAGE,
      });
      const young = documents.findIndex(({ doc }) => doc.made_at >= before);
      const old = young === -1 ? documents : documents.slice(0, young);
      const last = old.at(-1);
      if (last === undefined || stopping()) return count;
      // First: a reader must learn that events are missing before they are.
      const { sequence } = last.doc;
      await readModels.write(eventFeed.name, [
        { id: integration, doc: { sequence }, version: String(sequence).padStart(20, '0') },
      ]);
      await readModels.write(
        eventEnvelopes.name,
        old.map(({ id }) => ({ id, doc: null, version: REMOVED })),
      );
      count += old.length;
      if (young !== -1 || documents.length < PAGE) return count;
    }
  }
}
