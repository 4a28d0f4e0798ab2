/** People of a team who sign in: their accounts, and their passwords. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { CompanyRole } from '../../domain/policies/roles.js';
import type { ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import type { App } from '../app.js';
import { createAccounts } from './accounts.js';
import { createEntry } from './entry.js';
import { createGuessing } from './guessing.js';
import { createInvitations, type Invitations } from './invitations.js';
import { changeOwn, noAccount, recordOwn, requireAccount, type Own } from './own-account.js';
import { createPasswords, type HashCost } from './passwords.js';
import { createProof, signInFailed, type Proof } from './proof.js';
import { createSecondFactor, type SecondFactor } from './second-factor.js';
import type { Sessions, SignedIn } from './sessions.js';
import { createSubjects } from './subjects.js';

type Deps = Pick<
  App,
  'readModels' | 'clock' | 'leases' | 'executor' | 'indexSecret' | 'secrets' | 'logger' | 'newId'
>;

export interface OwnAccount {
  readonly name: string | null;
  readonly email: string | null;
  readonly role: CompanyRole;
  /** Null without a password. */
  readonly password_at: string | null;
  /** Since when the person can sign in at the identity provider; null for who can't. */
  readonly oidc_at: string | null;
  readonly totp: boolean;
  readonly recovery_codes_left: number;
}

export interface People extends Invitations, SecondFactor {
  /** @throws Refusal sign_in_failed, code_needed, sign_in_slowed */
  signIn(proof: Proof & { readonly email: string }, address: string): Promise<SignedIn>;
  own(memberUuid: string): Promise<OwnAccount>;
  /** The session may do what asks for the password, for some minutes. @throws Refusal as `signIn` */
  confirm(own: Own, proof: Proof): Promise<void>;
  /** Ends the person's other sessions. @throws Refusal as `signIn` */
  changePassword(own: Own, proof: Proof, password: string): Promise<void>;
  /** @throws Refusal oidc_only_way for who has no password */
  unlinkSubject(memberUuid: string): Promise<void>;
}

export async function createPeople(app: Deps, sessions: Sessions, cost?: HashCost): Promise<People> {
  const { clock } = app;
  const accounts = await createAccounts(app);
  const subjects = await createSubjects(app);
  const entry = createEntry(app, sessions);
  const passwords = createPasswords(cost);
  const guessing = createGuessing(() => clock.monotonic());
  const prove = createProof(app, { accounts, passwords, guessing });
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  async function begin(account: ConsoleAccountDoc): Promise<SignedIn> {
    const signedIn = await entry.begin(account, 'password');
    if (signedIn === null) throw signInFailed();
    return signedIn;
  }

  return {
    ...createInvitations(app, { accounts, subjects, passwords, guessing, entry, sessions }),
    ...createSecondFactor(app, { accounts, entry, guessing }),

    async signIn({ email, ...proof }, address) {
      return begin(await prove(accounts.idOf(plainEmail(email)), proof, address));
    },

    async own(memberUuid) {
      const { password_at, totp } = await requireAccount(accounts, memberUuid);
      const [person, linked] = await Promise.all([entry.member(memberUuid), subjects.ofMember(memberUuid)]);
      if (person === undefined) throw noAccount();
      const confirmed = totp?.confirmed === true;
      return {
        name: person.name,
        email: person.email,
        role: person.role,
        password_at,
        oidc_at: linked?.linked_at ?? null,
        totp: confirmed,
        recovery_codes_left: confirmed ? totp.recovery_sha256.length : 0,
      };
    },

    async confirm({ memberUuid, sessionUuid, address }, proof) {
      const { account_id: id } = await requireAccount(accounts, memberUuid);
      await prove(id, proof, address);
      await sessions.proved(sessionUuid);
    },

    async changePassword({ memberUuid, sessionUuid, address }, proof, password) {
      const { account_id: id } = await requireAccount(accounts, memberUuid);
      const account = await prove(id, proof, address);
      const hash = await passwords.hash(password);
      await changeOwn(accounts, account, (doc) => [
        { ...doc, password: hash, password_at: time(), invitation: null },
        undefined,
      ]);
      await sessions.endOf(memberUuid, sessionUuid);
      await recordOwn(app, account, { type: 'PasswordSet', data: { member_uuid: memberUuid } });
    },

    async unlinkSubject(memberUuid) {
      const account = await requireAccount(accounts, memberUuid);
      if (account.password === null) throw onlyWay();
      await subjects.removeOf(memberUuid);
    },
  };
}

/** As it is compared: nobody has two addresses that differ in this. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

const onlyWay = (): Refusal =>
  new Refusal(
    'oidc_only_way',
    'You have no password, so you could not sign in any more. Ask an owner of the company for a new link, and set a password by it.',
  );
