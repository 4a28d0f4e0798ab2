import type { LiveEvents, LiveItem } from '../../application/event-feed/live.js';
import { readFeed, type FeedApp, type FeedPage } from '../../application/event-feed/read.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Call, Handlers } from '../middleware/call.js';
import { pageOf } from './replies.js';

/** Pause before a reader connects again. */
const RETRY_MS = 2_000;

export const eventRoutes = (app: FeedApp, live: LiveEvents): Handlers<ApiCaller> => ({
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

  streamEvents: async ({ caller, query, headers }) => {
    const { company, integration, keyId } = caller;
    // A client that connects again still has the address of its first call: the header is newer.
    const last = headers['last-event-id'];
    const after = last === undefined ? sequenceIn(query['after']) : Number(last);
    const items = await live.open({ company, integration, keyId, after, types: typesIn(query) });
    return { status: 200, events: (gone) => frames(items(gone)) };
  },
});

/** Begins to read at once: what is reserved for the items is given back by reading them. */
async function* frames(items: AsyncIterable<LiveItem>): AsyncGenerator<Uint8Array> {
  let begin = `retry: ${RETRY_MS}\n\n`;
  for await (const item of items) {
    yield Buffer.from(begin + frame(item));
    begin = '';
  }
}

/** An id without data is no event, but the place to continue from: events of other types were passed. */
const frame = (item: LiveItem): string =>
  'passed' in item
    ? `: alive\nid: ${item.passed}\n\n`
    : `event: ${item.type}\nid: ${item.sequence}\ndata: ${item.body}\n\n`;

/** Each event on a line of its own, byte for byte as its webhook: a reader may verify or store the line. */
function pageText({ events, next, more, waiting }: FeedPage): string {
  const meta = JSON.stringify({ next_after: next, more, waiting });
  const lines = events.map(({ body }) => body).join(',\n');
  return `{"data":[\n${lines}${events.length > 0 ? '\n' : ''}],"meta":${meta}}`;
}

const sequenceIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function typesIn({ types }: Call['query']): ReadonlySet<string> | undefined {
  return Array.isArray(types) ? new Set(types.map(String)) : undefined;
}
