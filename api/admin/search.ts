import type { App } from '../../application/app.js';
import { findAnything } from '../../application/queries/find-anything.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { companies } from '../../read-models/companies.js';
import { pathParam, queryText } from '../middleware/call.js';
import { readDocument, unpaged, type AdminHandlers } from './support.js';

export const searchRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  findAnything: async (call) => {
    const company = pathParam(call.params, 'company_uuid');
    await readDocument(app.readModels, companies.name, company, 'company');
    return unpaged(await findAnything(queries, company, queryText(call.query, 'query') ?? ''));
  },
});
