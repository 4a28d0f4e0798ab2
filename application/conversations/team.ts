/** Agents and groups of a company. Each name is sealed under its own key. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { teamAggregate, type TeamCommand } from '../../domain/team/decide.js';
import type { TeamKind } from '../../domain/team/state.js';
import { directCommand, type App } from '../app.js';
import { loadCompany, notFound, type Caller, type Written } from '../provisioning/common.js';

interface MemberRef {
  readonly companyUuid: CompanyUuid;
  readonly memberUuid: string;
}

/** @throws Refusal not_found (of the company), team_full */
export async function addTeamMember(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly companyUuid: CompanyUuid; readonly kind: TeamKind; readonly name: string },
  caller: Caller,
): Promise<Written & { readonly memberUuid: string }> {
  await loadCompany(app, input.companyUuid);
  const member = { ...input, memberUuid: app.newId() };
  const { position } = await run(app, member, { type: 'AddTeamMember', ...member }, caller);
  return { memberUuid: member.memberUuid, position };
}

/** @throws Refusal not_found */
export const renameTeamMember = (
  app: Pick<App, 'executor' | 'newId'>,
  input: MemberRef & { readonly name: string },
  caller: Caller,
): Promise<Written> =>
  run(app, input, { type: 'RenameTeamMember', memberUuid: input.memberUuid, name: input.name }, caller);

/** @throws Refusal not_found, also for a member that was already removed */
export async function removeTeamMember(
  app: Pick<App, 'executor' | 'newId'>,
  input: MemberRef,
  caller: Caller,
): Promise<Written> {
  const { memberUuid } = input;
  const { state } = await app.executor.load(teamAggregate, input.companyUuid);
  if (!state.members.has(memberUuid)) throw notFound('team_member', 'agent or group');
  return run(app, input, { type: 'RemoveTeamMember', memberUuid }, caller);
}

async function run(
  app: Pick<App, 'executor' | 'newId'>,
  { companyUuid, memberUuid }: MemberRef,
  command: TeamCommand,
  caller: Caller,
): Promise<Written> {
  const done = await app.executor.execute(
    teamAggregate,
    companyUuid,
    command,
    directCommand(app, { company: companyUuid, ...caller }, memberUuid),
  );
  return { position: done.position };
}
