import { readFeed, type FeedApp, type FeedPage } from '../../application/event-feed/read.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Call, Handlers } from '../middleware/call.js';
import { pageOf } from './replies.js';

export const eventRoutes = (app: FeedApp): Handlers<ApiCaller> => ({
  listEvents: async ({ caller, query }) => ({
    status: 200,
    text: pageText(
      await readFeed(app, {
        integrationUuid: caller.integration,
        after: sequenceIn(query['after']),
        limit: pageOf({ query }).limit,
        types: typesIn(query),
      }),
    ),
  }),
});

/** Each event on a line of its own, byte for byte as its webhook: a reader may verify or store the line. */
function pageText({ events, next, more, waiting }: FeedPage): string {
  const meta = JSON.stringify({ next_after: next, more, waiting });
  const lines = events.map(({ body }) => body).join(',\n');
  return `{"data":[\n${lines}${events.length > 0 ? '\n' : ''}],"meta":${meta}}`;
}

const sequenceIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export function typesIn({ types }: Call['query']): ReadonlySet<string> | undefined {
  return Array.isArray(types) ? new Set(types.map(String)) : undefined;
}
