/** Who of a company's team may sign in, and as what: facts of the history (docs/adr/0051). */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { CompanyRole } from '../../domain/policies/roles.js';
import { teamAggregate, type TeamCommand } from '../../domain/team/decide.js';
import { directCommand, type App } from '../app.js';
import { notFound, type Caller, type Written } from '../provisioning/common.js';
import type { Accounts } from './accounts.js';
import { plainEmail, type People } from './people.js';
import type { Sessions } from './sessions.js';
import type { Subjects } from './subjects.js';

interface MemberRef {
  readonly companyUuid: CompanyUuid;
  readonly memberUuid: string;
}

/** All that lets a person in; `sessions` is null where the console is off. */
export interface Proofs {
  readonly accounts: Accounts;
  readonly subjects: Subjects;
  readonly sessions: Sessions | null;
}

export interface Invitation extends Written {
  readonly token: string;
  readonly expiresAt: string;
}

/**
 * Lets a person sign in, and makes an invitation. Repeated, it replaces the invitation, which is also how a password is
 * reset.
 * @throws Refusal not_found, not_a_person, last_owner, email_taken
 */
export async function grantTeamAccess(
  app: Pick<App, 'executor' | 'newId'>,
  people: People,
  input: MemberRef & { readonly role: CompanyRole; readonly email: string },
  caller: Caller,
): Promise<Invitation> {
  const { companyUuid, memberUuid, role } = input;
  const email = plainEmail(input.email);
  let written: Written = { position: null };
  const invitation = await people.invite({ companyUuid, memberUuid, email }, async () => {
    written = await run(app, input, { type: 'GrantTeamAccess', memberUuid, role, email }, caller);
  });
  return { ...invitation, ...written };
}

/** It holds from the person's next call. @throws Refusal not_found, no_access, last_owner */
export async function changeTeamRole(
  app: Pick<App, 'executor' | 'newId'>,
  input: MemberRef & { readonly role: CompanyRole },
  caller: Caller,
): Promise<Written> {
  const { companyUuid, memberUuid, role } = input;
  const { state } = await app.executor.load(teamAggregate, companyUuid);
  const member = state.members.get(memberUuid);
  if (member === undefined) throw notFound('team_member', 'agent or group');
  const email = member.access?.email;
  if (email === undefined || email === null) {
    throw new Refusal('no_access', 'This person can not sign in. Give access first.');
  }
  return run(app, input, { type: 'GrantTeamAccess', memberUuid, role, email }, caller);
}

/** Ends the person's sessions too. @throws Refusal not_found, last_owner */
export async function revokeTeamAccess(
  app: Pick<App, 'executor' | 'newId'>,
  proofs: Proofs,
  input: MemberRef,
  caller: Caller,
): Promise<Written> {
  const { memberUuid } = input;
  const written = await run(app, input, { type: 'RevokeTeamAccess', memberUuid }, caller);
  await forgetPerson(proofs, memberUuid);
  return written;
}

/** What proves who the person is. The history no longer lets the person in when this runs. */
export async function forgetPerson(
  { accounts, subjects, sessions }: Proofs,
  memberUuid: string,
): Promise<void> {
  await accounts.removeAll(memberUuid);
  await subjects.removeOf(memberUuid);
  await sessions?.endOf(memberUuid);
}

async function run(
  app: Pick<App, 'executor' | 'newId'>,
  { companyUuid, memberUuid }: MemberRef,
  command: TeamCommand,
  caller: Caller,
): Promise<Written> {
  const context = directCommand(app, { company: companyUuid, ...caller }, memberUuid);
  const { position } = await app.executor.execute(teamAggregate, companyUuid, command, context);
  return { position };
}
