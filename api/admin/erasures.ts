import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { list, one } from '../routes/replies.js';
import { erasures, type ErasureDoc } from '../../read-models/erasures.js';
import { countedPageOf, readDocument, type AdminHandlers } from './support.js';
import { pathParam } from '../middleware/call.js';

const present = ({ shelf: _, ...shown }: ErasureDoc) => shown;

export const erasureRoutes = (queries: QueryDeps): AdminHandlers => ({
  listErasures: async (call) => {
    const given = call.query['open'];
    const open = typeof given === 'boolean' ? given : undefined;
    const find =
      open === undefined
        ? ({ index: 'newest', equals: [], order: 'desc' } as const)
        : ({ index: 'by_shelf', equals: [open ? 'open' : 'done'], order: 'desc' } as const);
    const scope = { list: 'erasures', companyUuid: '', filters: [open === undefined ? null : String(open)] };
    return list(await readPage(queries, erasures.name, find, scope, countedPageOf(call)), present);
  },

  getErasure: async ({ params }) =>
    one(
      present(
        await readDocument(queries.readModels, erasures.name, pathParam(params, 'erasure_uuid'), 'erasure'),
      ),
    ),
});
