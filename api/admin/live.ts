/** What changed in a company, as server-sent events, for open consoles. */
import type { ConsoleLive, LiveChanges } from '../../application/console/live.js';
import type { ConversationUuid } from '../../domain/kernel/ids.js';
import { one } from '../routes/replies.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { sessionOf } from './authenticate.js';
import { loadCompany } from '../../application/provisioning/common.js';
import type { App } from '../../application/app.js';
import type { AdminHandlers } from './support.js';

/** Pause before a page connects again. */
const RETRY_MS = 2_000;

export const liveRoutes = (app: App, live: ConsoleLive): AdminHandlers => ({
  streamChanges: async ({ caller, params, headers, query }) => {
    const company = pathParam(params, 'company_uuid');
    await loadCompany(app, company);
    // A browser that connects again by itself repeats the address, and sends what it read last besides.
    const last = headers['last-event-id'] ?? query['after'];
    const items = await live.open({
      company,
      ...personOf(caller),
      page: queryText(query, 'page')?.toLowerCase(),
      after: typeof last === 'string' ? last : undefined,
    });
    return { status: 200, events: (gone) => frames(items(gone)) };
  },

  tellPresence: ({ caller, params }, { page, conversation_uuid, typing = false }: PresenceBody) => {
    const shown = live.say({
      company: pathParam(params, 'company_uuid'),
      session: personOf(caller).session,
      page: page.toLowerCase(),
      conversation: conversation_uuid?.toLowerCase() ?? null,
      typing,
    });
    return Promise.resolve(one({ shown }));
  },
});

interface PresenceBody {
  readonly page: string;
  readonly conversation_uuid: ConversationUuid | null;
  readonly typing?: boolean;
}

/** Null for a program with the admin token; it is of no team. */
function personOf(caller: Call['caller']): {
  readonly session: string | null;
  readonly member: string | null;
} {
  const session = sessionOf({ caller });
  return { session: session?.session_uuid ?? null, member: session?.member_uuid ?? null };
}

async function* frames(items: AsyncIterable<LiveChanges>): AsyncGenerator<Uint8Array> {
  let begin = `retry: ${RETRY_MS}\n\n`;
  for await (const item of items) {
    yield Buffer.from(begin + frame(item));
    begin = '';
  }
}

/** The id follows the last change: a reader that is cut off between them gets all of them again. */
function frame({ at, changes, presence }: LiveChanges): string {
  const told = [
    ...changes.map((change) => event('change', change)),
    ...(presence === undefined ? [] : [event('presence', presence)]),
  ].join('');
  return `${told}: alive\nid: ${at}\n\n`;
}

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
