import type { App } from '../../application/app.js';
import { leaveOut } from '../../application/event-feed/leave-out.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { eventGaps, type EventGapDoc } from '../../read-models/event-envelopes.js';
import { pathParam } from '../middleware/call.js';
import { list, one } from '../routes/replies.js';
import { countedPageOf, type AdminHandlers } from './support.js';

const present = (doc: EventGapDoc) => ({
  uuid: doc.gap_uuid,
  company_uuid: doc.company_uuid,
  integration_uuid: doc.integration_uuid,
  event_id: doc.event_id,
  event_type: doc.event_type,
  sequence: doc.sequence,
  stream: doc.stream,
  reason: doc.reason.slice(0, 2_000),
  since: doc.since,
});

export const eventGapRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listEventGaps: async (call) => {
    const find = { index: 'oldest', equals: [], order: 'asc' } as const;
    const scope = { list: 'event-gaps', companyUuid: '', filters: [] };
    return list(await readPage(queries, eventGaps.name, find, scope, countedPageOf(call)), present);
  },

  leaveOutEvent: async (call) => {
    const gap = await leaveOut(app, pathParam(call.params, 'gap_uuid'));
    app.logger.warn(
      { gap: gap.gap_uuid, event_id: gap.recorded_id, actor: call.caller.actor, request_id: call.requestId },
      'an operator left an event out of the events feed',
    );
    return one(present(gap));
  },
});
