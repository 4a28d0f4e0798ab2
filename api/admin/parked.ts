import type { App } from '../../application/app.js';
import { retryParked } from '../../application/parked-messages.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { list } from '../routes/replies.js';
import { parkedMessages, type ParkedMessage } from '../../read-models/parked-messages.js';
import { accepted, countedPageOf, type AdminHandlers } from './support.js';
import { pathParam, queryText } from '../middleware/call.js';

/** `id` is unique across all groups. */
const present = ({ id, group, value, reason, parked_at }: ParkedMessage) => ({
  id: `${group}:${id}`,
  group,
  reason: reason.slice(0, 2_000),
  value,
  parked_at,
});

export const parkedRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listParkedMessages: async (call) => {
    const group = queryText(call.query, 'group');
    const find =
      group === undefined
        ? ({ index: 'newest', equals: [], order: 'desc' } as const)
        : ({ index: 'by_group', equals: [group], order: 'desc' } as const);
    const scope = { list: 'parked-messages', companyUuid: '', filters: [group ?? null] };
    return list(await readPage(queries, parkedMessages.name, find, scope, countedPageOf(call)), present);
  },

  retryParkedMessage: async ({ params }) =>
    accepted(present(await retryParked(app, pathParam(params, 'id')))),
});
