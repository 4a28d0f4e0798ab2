import type { App } from '../../application/app.js';
import {
  changeTeamRole,
  forgetPerson,
  grantTeamAccess,
  revokeTeamAccess,
  type Proofs,
} from '../../application/console/team-access.js';
import { addTeamMember, removeTeamMember, renameTeamMember } from '../../application/conversations/team.js';
import type { CompanyRole } from '../../domain/policies/roles.js';
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
import { pathParam, type Call } from '../middleware/call.js';
import { opened, type ConsoleDoor } from './authenticate.js';

const present = ({ uuid, kind, name, role, email, created_at }: TeamMemberDoc) => ({
  uuid,
  kind,
  name,
  role,
  email,
  created_at,
});

const memberOf = ({ params }: Call) => ({
  companyUuid: pathParam(params, 'company_uuid'),
  memberUuid: pathParam(params, 'member_uuid'),
});

export const teamRoutes = (app: App, proofs: Proofs, door: ConsoleDoor | null): AdminHandlers => ({
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
    const { position } = await renameTeamMember(app, { ...memberOf(call), name }, commander(call));
    return one(present(await readWritten(app, team.name, memberOf(call).memberUuid, position)));
  },

  removeTeamMember: async (call) => {
    const { memberUuid } = memberOf(call);
    const { position } = await removeTeamMember(app, memberOf(call), commander(call));
    await readWritten(app, team.name, memberUuid, position);
    await forgetPerson(proofs, memberUuid);
    return nothing;
  },

  grantTeamAccess: async (call, input: { readonly role: CompanyRole; readonly email: string }) => {
    const { people } = opened(door);
    const given = await grantTeamAccess(app, people, { ...memberOf(call), ...input }, commander(call));
    await readWritten(app, team.name, memberOf(call).memberUuid, given.position);
    return created({ token: given.token, expires_at: given.expiresAt });
  },

  changeTeamRole: async (call, { role }: { readonly role: CompanyRole }) => {
    const { position } = await changeTeamRole(app, { ...memberOf(call), role }, commander(call));
    return one(present(await readWritten(app, team.name, memberOf(call).memberUuid, position)));
  },

  revokeTeamAccess: async (call) => {
    const { position } = await revokeTeamAccess(app, proofs, memberOf(call), commander(call));
    await readWritten(app, team.name, memberOf(call).memberUuid, position);
    return nothing;
  },
});
