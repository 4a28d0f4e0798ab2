/** What changed in a company, as server-sent events, for open consoles. */
import type { ConsoleLive, LiveChanges } from '../../application/console/live.js';
import { pathParam } from '../middleware/call.js';
import type { ConsoleCaller } from './authenticate.js';
import { loadCompany } from '../../application/provisioning/common.js';
import type { App } from '../../application/app.js';
import type { AdminHandlers } from './support.js';

/** Pause before a page connects again. */
const RETRY_MS = 2_000;

export const liveRoutes = (app: App, live: ConsoleLive): AdminHandlers => ({
  streamChanges: async ({ caller, params, query, headers }) => {
    const company = pathParam(params, 'company_uuid');
    await loadCompany(app, company);
    // A browser that connects again by itself repeats the address, and sends what it read last besides.
    const last = headers['last-event-id'] ?? query['after'];
    const items = await live.open({
      company,
      session: (caller as ConsoleCaller).session?.session_uuid ?? null,
      after: typeof last === 'string' ? last : undefined,
    });
    return { status: 200, events: (gone) => frames(items(gone)) };
  },
});

async function* frames(items: AsyncIterable<LiveChanges>): AsyncGenerator<Uint8Array> {
  let begin = `retry: ${RETRY_MS}\n\n`;
  for await (const item of items) {
    yield Buffer.from(begin + frame(item));
    begin = '';
  }
}

/** The id follows the last change: a reader that is cut off between them gets all of them again. */
function frame({ at, changes }: LiveChanges): string {
  const told = changes.map((change) => `event: change\ndata: ${JSON.stringify(change)}\n\n`).join('');
  return `${told}: alive\nid: ${at}\n\n`;
}
