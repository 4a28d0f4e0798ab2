import type { App } from '../../application/app.js';
import { addTeamMember, removeTeamMember, renameTeamMember } from '../../application/conversations/team.js';
import { one } from '../routes/replies.js';
import { companies } from '../../read-models/companies.js';
import { team, type TeamMemberDoc } from '../../read-models/team.js';
import {
  commander,
  created,
  nothing,
  readAll,
  readDocument,
  readWritten,
  unpaged,
  type AdminHandlers,
} from './support.js';
import { pathParam } from '../middleware/call.js';

const present = ({ uuid, kind, name, created_at }: TeamMemberDoc) => ({ uuid, kind, name, created_at });

export const teamRoutes = (app: App): AdminHandlers => ({
  listTeam: async ({ params }) => {
    const company = pathParam(params, 'company_uuid');
    await readDocument(app.readModels, companies.name, company, 'company');
    const active = await readAll(app.readModels, team.name, 'by_company', [company, 'active']);
    return unpaged(active.map(present));
  },

  addTeamMember: async (call, input: { readonly kind: 'agent' | 'group'; readonly name: string }) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const { memberUuid, position } = await addTeamMember(app, { companyUuid, ...input }, commander(call));
    return created(present(await readWritten(app, team.name, memberUuid, position)));
  },

  renameTeamMember: async (call, { name }: { readonly name: string }) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const memberUuid = pathParam(call.params, 'member_uuid');
    const { position } = await renameTeamMember(app, { companyUuid, memberUuid, name }, commander(call));
    return one(present(await readWritten(app, team.name, memberUuid, position)));
  },

  removeTeamMember: async (call) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const memberUuid = pathParam(call.params, 'member_uuid');
    const { position } = await removeTeamMember(app, { companyUuid, memberUuid }, commander(call));
    await readWritten(app, team.name, memberUuid, position);
    return nothing;
  },
});
