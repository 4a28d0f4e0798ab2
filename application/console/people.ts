/** People of a team who sign in: invitations, passwords, and the second factor. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Role } from '../../domain/policies/roles.js';
import type { ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import { team } from '../../read-models/team.js';
import type { App } from '../app.js';
import { createAccounts } from './accounts.js';
import { createGuessing } from './guessing.js';
import { enrolmentUri, newRecoveryCodes, newSecret, recoveryDigest, stepOf } from './one-time-codes.js';
import { createPasswords, type HashCost } from './passwords.js';
import { isDigestOf, newToken, parseToken } from './secret-token.js';
import type { Sessions, SignedIn } from './sessions.js';

/** Long enough for a message that somebody reads tomorrow. */
export const INVITATION_MS = 24 * 3_600_000;

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
  readonly role: Role;
  readonly password_at: string | null;
  readonly totp: boolean;
  readonly recovery_codes_left: number;
}

export interface People {
  /** @throws Refusal sign_in_failed, code_needed, sign_in_slowed */
  signIn(proof: Proof & { readonly email: string }, address: string): Promise<SignedIn>;
  /** Sets the password, ends the second factor and all sessions, and signs in. @throws Refusal invitation_invalid */
  accept(token: string, password: string, address: string): Promise<SignedIn>;
  /**
   * A new one replaces those before.
   * @param grant lets the person in; done once it is known that the e-mail is nobody else's
   * @throws Refusal email_taken
   */
  invite(
    person: { readonly companyUuid: string; readonly memberUuid: string; readonly email: string },
    grant: () => Promise<void>,
  ): Promise<{ readonly token: string; readonly expiresAt: string }>;
  own(memberUuid: string): Promise<OwnAccount>;
  /** The session may do what asks for the password, for some minutes. @throws Refusal as `signIn` */
  confirm(own: Own, proof: Proof): Promise<void>;
  /** Ends the person's other sessions. @throws Refusal as `signIn` */
  changePassword(own: Own, proof: Proof, password: string): Promise<void>;
  enrolTotp(own: Own): Promise<{ readonly secret: string; readonly uri: string }>;
  /** Returns recovery codes, which are never shown again. @throws Refusal code_invalid */
  confirmTotp(own: Own, code: string): Promise<readonly string[]>;
  removeTotp(own: Own): Promise<void>;
}

export async function createPeople(app: Deps, sessions: Sessions, cost?: HashCost): Promise<People> {
  const { readModels, clock, secrets, logger } = app;
  const accounts = await createAccounts(app);
  const passwords = createPasswords(cost);
  const guessing = createGuessing(() => clock.monotonic());
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  /** Undefined for who may no longer sign in. */
  async function member(uuid: string) {
    const doc = (await readModels.get(team.name, uuid))?.doc;
    if (doc === undefined || doc.status !== 'active' || doc.role === null) return undefined;
    return { ...doc, role: doc.role };
  }

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
    if (known === null || !isRight) throw failed();
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
    if (proved === null) throw failed();
    guessing.succeeded(id, address);
    return proved;
  }

  /** @throws Refusal sign_in_failed */
  async function begin({ member_uuid, company_uuid }: ConsoleAccountDoc): Promise<SignedIn> {
    const person = await member(member_uuid);
    if (person?.company_uuid !== company_uuid) throw failed();
    const signedIn = await sessions.begin({
      actor: actorOfMember(member_uuid),
      role: person.role,
      company: company_uuid,
      member: member_uuid,
    });
    logger.info({ member: member_uuid, session: signedIn.session.session_uuid }, 'a person signed in');
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
    async signIn({ email, ...proof }, address) {
      return begin(await prove(accounts.idOf(plainEmail(email)), proof, address));
    },

    async accept(token, password, address) {
      const given = parseToken(token);
      if (given === null) throw invalidInvitation();
      guessing.attempt(given.uuid, address);
      const hash = await passwords.hash(password);
      const account = await accounts.change(given.uuid, (doc) => {
        const invitation = doc?.invitation ?? null;
        if (
          doc === null ||
          invitation === null ||
          invitation.expires_at <= time() ||
          !isDigestOf(invitation.secret_sha256, given.secret)
        ) {
          throw invalidInvitation();
        }
        const next = { ...doc, password: hash, password_at: time(), invitation: null, totp: null };
        return { doc: next, result: next };
      });
      guessing.succeeded(account.account_id, address);
      await sessions.endOf(account.member_uuid);
      return begin(account);
    },

    async invite({ companyUuid, memberUuid, email }, grant) {
      const id = accounts.idOf(email);
      const { token, digest } = newToken(id);
      const expiresAt = time(clock.now() + INVITATION_MS);
      await accounts.change(id, async (doc) => {
        if (doc !== null && doc.member_uuid !== memberUuid) throw emailTaken();
        await grant();
        const next: ConsoleAccountDoc = {
          ...(doc ?? {
            account_id: id,
            company_uuid: companyUuid,
            member_uuid: memberUuid,
            password: null,
            password_at: null,
            totp: null,
            created_at: time(),
          }),
          invitation: { secret_sha256: digest, expires_at: expiresAt },
        };
        return { doc: next, result: undefined };
      });
      await accounts.removeAll(memberUuid, id);
      return { token, expiresAt };
    },

    async own(memberUuid) {
      const { password_at, totp } = await requireAccount(memberUuid);
      const person = await member(memberUuid);
      if (person === undefined) throw noAccount();
      const confirmed = totp?.confirmed === true;
      return {
        name: person.name,
        email: person.email,
        role: person.role,
        password_at,
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
    },

    async enrolTotp({ memberUuid }) {
      const account = await requireAccount(memberUuid);
      const person = await member(memberUuid);
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
      return codes;
    },

    async removeTotp({ memberUuid }) {
      const account = await requireAccount(memberUuid);
      await changeOwn(account, (doc) => [{ ...doc, totp: null }, undefined]);
    },
  };
}

export const actorOfMember = (uuid: string): string => `user:${uuid}`;

/** As it is compared: nobody has two addresses that differ in this. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

const sealedFor = (accountId: string): string => `totp:${accountId}`;

/** The same for who is not known, has no password, or may no longer sign in. */
const failed = (): Refusal =>
  new Refusal('sign_in_failed', 'E-mail, password or code are wrong, or this account may not sign in.');
const invalidInvitation = (): Refusal =>
  new Refusal(
    'invitation_invalid',
    'This invitation was used already, is too old, or was replaced by a newer one. Ask an owner of the company for a new one.',
  );
const codeInvalid = (): Refusal =>
  new Refusal('code_invalid', 'The code is not the present one of your app. Check the clock of your phone.');
const emailTaken = (): Refusal =>
  new Refusal('email_taken', 'Somebody else signs in with this e-mail. Use another one.');
export const noAccount = (): Refusal =>
  new Refusal('no_account', 'Only people who sign in with a password have an account.');
