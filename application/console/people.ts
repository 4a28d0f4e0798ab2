/** People of a team who sign in: invitations, passwords, and the second factor. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { CompanyRole } from '../../domain/policies/roles.js';
import type { ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import type { App } from '../app.js';
import { createAccounts } from './accounts.js';
import { recordAct, type Act } from './account-acts.js';
import { actorOfMember, createEntry } from './entry.js';
import { createGuessing } from './guessing.js';
import { createInvitations, type Invitations } from './invitations.js';
import { enrolmentUri, newRecoveryCodes, newSecret, recoveryDigest, stepOf } from './one-time-codes.js';
import { createPasswords, type HashCost } from './passwords.js';
import type { Sessions, SignedIn } from './sessions.js';
import { createSubjects } from './subjects.js';

type Deps = Pick<
  App,
  'readModels' | 'clock' | 'leases' | 'executor' | 'indexSecret' | 'secrets' | 'logger' | 'newId'
>;

/** What a person sends to prove who he is. `code` is of the authenticator app, or a recovery code. */
export interface Proof {
  readonly password: string;
  readonly code?: string | undefined;
}

/** A session of a person, and where the call came from. */
export interface Own {
  readonly memberUuid: string;
  readonly sessionUuid: string;
  readonly address: string;
}

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

export interface People extends Invitations {
  /** @throws Refusal sign_in_failed, code_needed, sign_in_slowed */
  signIn(proof: Proof & { readonly email: string }, address: string): Promise<SignedIn>;
  own(memberUuid: string): Promise<OwnAccount>;
  /** The session may do what asks for the password, for some minutes. @throws Refusal as `signIn` */
  confirm(own: Own, proof: Proof): Promise<void>;
  /** Ends the person's other sessions. @throws Refusal as `signIn` */
  changePassword(own: Own, proof: Proof, password: string): Promise<void>;
  enrolTotp(own: Own): Promise<{ readonly secret: string; readonly uri: string }>;
  /** Returns recovery codes, which are never shown again. @throws Refusal code_invalid */
  confirmTotp(own: Own, code: string): Promise<readonly string[]>;
  removeTotp(own: Own): Promise<void>;
  /** @throws Refusal oidc_only_way for who has no password */
  unlinkSubject(memberUuid: string): Promise<void>;
}

export async function createPeople(app: Deps, sessions: Sessions, cost?: HashCost): Promise<People> {
  const { clock, secrets } = app;
  const accounts = await createAccounts(app);
  const subjects = await createSubjects(app);
  const entry = createEntry(app, sessions);
  const passwords = createPasswords(cost);
  const guessing = createGuessing(() => clock.monotonic());
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  async function requireAccount(memberUuid: string): Promise<ConsoleAccountDoc> {
    const account = await accounts.ofMember(memberUuid);
    if (account === null) throw noAccount();
    return account;
  }

  /** The record after its code was used up; null for a wrong code. */
  function afterCode(doc: ConsoleAccountDoc, code: string): ConsoleAccountDoc | null {
    const { totp } = doc;
    if (totp === null) return doc;
    const secret = secrets.open(totp.secret_sealed, sealedFor(doc.account_id));
    const step = stepOf(secret, code, clock.now(), totp.last_step);
    if (step !== null) return { ...doc, totp: { ...totp, last_step: step } };
    const digest = recoveryDigest(code);
    if (!totp.recovery_sha256.includes(digest)) return null;
    const left = totp.recovery_sha256.filter((one) => one !== digest);
    return { ...doc, totp: { ...totp, recovery_sha256: left } };
  }

  /** @throws Refusal sign_in_failed, code_needed, sign_in_slowed */
  async function prove(id: string, { password, code }: Proof, address: string): Promise<ConsoleAccountDoc> {
    guessing.attempt(id, address);
    const known = await accounts.get(id);
    // It takes as long for who is not known.
    const isRight = await passwords.isRight(password, known?.password ?? null);
    if (known === null) throw failed();
    if (!isRight) throw noteFailure(known);
    if (known.totp?.confirmed !== true) {
      guessing.succeeded(id, address);
      return known;
    }
    if (code === undefined || code === '') {
      throw new Refusal('code_needed', 'Send the code of your authenticator app too, or a recovery code.');
    }
    const proved = await accounts.change(id, (doc) => {
      const next = doc === null || doc.password?.hash !== known.password?.hash ? null : afterCode(doc, code);
      return { doc: next ?? undefined, result: next };
    });
    if (proved === null) throw noteFailure(known);
    guessing.succeeded(id, address);
    return proved;
  }

  type Whose = Pick<ConsoleAccountDoc, 'member_uuid' | 'company_uuid'>;
  const record = (whose: Whose, act: Act, actor = actorOfMember(whose.member_uuid)): Promise<void> =>
    recordAct(app, { company: whose.company_uuid, member: whose.member_uuid, actor }, act);

  /** Nobody waits for it: an account that is known must not answer later than one that is not. */
  function noteFailure(account: Whose): Refusal {
    const { member_uuid } = account;
    record(account, { type: 'SignInFailed', data: { member_uuid } }, 'visitor').catch((error: unknown) =>
      app.logger.warn({ err: error, member: member_uuid }, 'a failed sign-in could not be recorded'),
    );
    return failed();
  }

  async function begin(account: ConsoleAccountDoc): Promise<SignedIn> {
    const signedIn = await entry.begin(account, 'password');
    if (signedIn === null) throw failed();
    return signedIn;
  }

  const changeOwn = <T>(
    account: ConsoleAccountDoc,
    change: (doc: ConsoleAccountDoc) => readonly [ConsoleAccountDoc | undefined, T],
  ): Promise<T> =>
    accounts.change(account.account_id, (doc) => {
      if (doc === null) throw noAccount();
      const [next, result] = change(doc);
      return { doc: next, result };
    });

  return {
    ...createInvitations(app, { accounts, subjects, passwords, guessing, entry, sessions }),

    async signIn({ email, ...proof }, address) {
      return begin(await prove(accounts.idOf(plainEmail(email)), proof, address));
    },

    async own(memberUuid) {
      const { password_at, totp } = await requireAccount(memberUuid);
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
      const { account_id: id } = await requireAccount(memberUuid);
      await prove(id, proof, address);
      await sessions.proved(sessionUuid);
    },

    async changePassword({ memberUuid, sessionUuid, address }, proof, password) {
      const { account_id: id } = await requireAccount(memberUuid);
      const account = await prove(id, proof, address);
      const hash = await passwords.hash(password);
      await changeOwn(account, (doc) => [
        { ...doc, password: hash, password_at: time(), invitation: null },
        undefined,
      ]);
      await sessions.endOf(memberUuid, sessionUuid);
      await record(account, { type: 'PasswordSet', data: { member_uuid: memberUuid } });
    },

    async enrolTotp({ memberUuid }) {
      const account = await requireAccount(memberUuid);
      const person = await entry.member(memberUuid);
      const secret = newSecret();
      await changeOwn(account, (doc) => {
        if (doc.totp?.confirmed === true) {
          throw new Refusal('totp_enrolled', 'A second factor is set up already. Remove it first.');
        }
        const totp = {
          secret_sealed: secrets.seal(secret, sealedFor(doc.account_id)),
          confirmed: false,
          last_step: 0,
          recovery_sha256: [],
        };
        return [{ ...doc, totp }, undefined];
      });
      return { secret, uri: enrolmentUri(secret, person?.email ?? memberUuid) };
    },

    async confirmTotp({ memberUuid, address }, code) {
      const account = await requireAccount(memberUuid);
      guessing.attempt(account.account_id, address);
      const codes = newRecoveryCodes();
      await changeOwn(account, (doc) => {
        const { totp } = doc;
        if (totp === null || totp.confirmed) throw codeInvalid();
        const secret = secrets.open(totp.secret_sealed, sealedFor(doc.account_id));
        const step = stepOf(secret, code, clock.now(), 0);
        if (step === null) throw codeInvalid();
        const recovery_sha256 = codes.map(recoveryDigest);
        return [{ ...doc, totp: { ...totp, confirmed: true, last_step: step, recovery_sha256 } }, undefined];
      });
      guessing.succeeded(account.account_id, address);
      await record(account, { type: 'SecondFactorChanged', data: { member_uuid: memberUuid, on: true } });
      return codes;
    },

    async removeTotp({ memberUuid }) {
      const account = await requireAccount(memberUuid);
      await changeOwn(account, (doc) => [{ ...doc, totp: null }, undefined]);
      await record(account, { type: 'SecondFactorChanged', data: { member_uuid: memberUuid, on: false } });
    },

    async unlinkSubject(memberUuid) {
      const account = await requireAccount(memberUuid);
      if (account.password === null) throw onlyWay();
      await subjects.removeOf(memberUuid);
    },
  };
}

/** As it is compared: nobody has two addresses that differ in this. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

const sealedFor = (accountId: string): string => `totp:${accountId}`;

/** The same for who is not known, has no password, or may no longer sign in. */
const failed = (): Refusal =>
  new Refusal('sign_in_failed', 'E-mail, password or code are wrong, or this account may not sign in.');
const codeInvalid = (): Refusal =>
  new Refusal('code_invalid', 'The code is not the present one of your app. Check the clock of your phone.');
const onlyWay = (): Refusal =>
  new Refusal(
    'oidc_only_way',
    'You have no password, so you could not sign in any more. Ask an owner of the company for a new link, and set a password by it.',
  );
export const noAccount = (): Refusal =>
  new Refusal(
    'no_account',
    'Only people of a company have an account: programs and operators by a link have none.',
  );
