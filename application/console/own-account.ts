/** The account of a person who is signed in, and what is recorded of it. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import { recordAct, type Act } from './account-acts.js';
import type { Accounts } from './accounts.js';
import { actorOfMember } from './entry.js';

/** A session of a person, and where the call came from. */
export interface Own {
  readonly memberUuid: string;
  readonly sessionUuid: string;
  readonly address: string;
}

/** Whose account it is. */
export type Whose = Pick<ConsoleAccountDoc, 'member_uuid' | 'company_uuid'>;

/** @throws Refusal no_account */
export async function requireAccount(accounts: Accounts, memberUuid: string): Promise<ConsoleAccountDoc> {
  const account = await accounts.ofMember(memberUuid);
  if (account === null) throw noAccount();
  return account;
}

/** @param change returns the account, undefined where it stays, and the result @throws Refusal no_account */
export const changeOwn = <T>(
  accounts: Accounts,
  account: ConsoleAccountDoc,
  change: (doc: ConsoleAccountDoc) => readonly [ConsoleAccountDoc | undefined, T],
): Promise<T> =>
  accounts.change(account.account_id, (doc) => {
    if (doc === null) throw noAccount();
    const [next, result] = change(doc);
    return { doc: next, result };
  });

export const recordOwn = (
  app: Parameters<typeof recordAct>[0],
  whose: Whose,
  act: Act,
  actor = actorOfMember(whose.member_uuid),
): Promise<void> => recordAct(app, { company: whose.company_uuid, member: whose.member_uuid, actor }, act);

export const noAccount = (): Refusal =>
  new Refusal(
    'no_account',
    'Only people of a company have an account: programs and operators by a link have none.',
  );
