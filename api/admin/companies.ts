import type { App } from '../../application/app.js';
import { registerCompany } from '../../application/provisioning/companies.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import type { CompanyDoc } from '../../projections/models/companies.js';
import { list, one, pageOf } from '../routes/replies.js';
import { commander, created, readDocument, readWritten, type AdminHandlers } from './support.js';

const present = ({ uuid, name, timezone, created_at }: CompanyDoc) => ({ uuid, name, timezone, created_at });

export const companyRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listCompanies: async (call) => {
    const find = { index: 'all', equals: [], order: 'asc' } as const;
    const scope = { list: 'companies', companyUuid: '', filters: [] };
    return list(await readPage<CompanyDoc>(queries, 'companies', find, scope, pageOf(call)), present);
  },

  createCompany: async (call) => {
    const input = call.body as { readonly name: string; readonly timezone?: string };
    const { companyUuid, position } = await registerCompany(app, input, commander(call));
    return created(present(await readWritten<CompanyDoc>(app, 'companies', companyUuid, position)));
  },

  getCompany: async ({ params }) =>
    one(
      present(
        await readDocument<CompanyDoc>(app.readModels, 'companies', params['company_uuid']!, 'company'),
      ),
    ),
});
