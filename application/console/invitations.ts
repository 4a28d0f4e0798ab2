/** Invitations: a link that lets a person set a password, or sign in at the identity provider from then on. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import type { App } from '../app.js';
import { recordAct } from './account-acts.js';
import type { Accounts } from './accounts.js';
import { actorOfMember, type Entry } from './entry.js';
import type { Guessing } from './guessing.js';
import type { Passwords } from './passwords.js';
import { isDigestOf, newToken, parseToken, type GivenToken } from './secret-token.js';
import type { Sessions, SignedIn, SignInWay } from './sessions.js';
import type { Subject, Subjects } from './subjects.js';

/** Long enough for a message that somebody reads tomorrow. */
export const INVITATION_MS = 24 * 3_600_000;

/** Tells an invitation from the others of the account, without what accepts it. */
export interface InvitationMark {
  readonly accountId: string;
  readonly digest: string;
}

export interface Invitations {
  /**
   * The password takes the place of everything that signed the person in before; all sessions end.
   * @throws Refusal invitation_invalid
   */
  accept(token: string, password: string, address: string): Promise<SignedIn>;
  /** The same by an account of the identity provider. @throws Refusal invitation_invalid, oidc_subject_taken */
  acceptBySubject(invitation: InvitationMark, subject: Subject, shownAt: number): Promise<SignedIn>;
  /** That it could be accepted now; it is not used up. @throws Refusal invitation_invalid */
  examineInvitation(token: string, address: string): Promise<InvitationMark>;
  /**
   * A new one replaces those before.
   * @param grant lets the person in; done once it is known that the e-mail is nobody else's
   * @throws Refusal email_taken
   */
  invite(
    person: { readonly companyUuid: CompanyUuid; readonly memberUuid: string; readonly email: string },
    grant: () => Promise<void>,
  ): Promise<{ readonly token: string; readonly expiresAt: string }>;
}

export function createInvitations(
  app: Pick<App, 'clock' | 'executor' | 'newId'>,
  parts: {
    readonly accounts: Accounts;
    readonly subjects: Subjects;
    readonly passwords: Passwords;
    readonly guessing: Guessing;
    readonly entry: Entry;
    readonly sessions: Pick<Sessions, 'endOf'>;
  },
): Invitations {
  const { clock } = app;
  const { accounts, subjects, passwords, guessing, entry, sessions } = parts;
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  /** @throws Refusal invitation_invalid */
  function requireOpen(doc: ConsoleAccountDoc | null, isIt: (digest: string) => boolean): ConsoleAccountDoc {
    const invitation = doc?.invitation ?? null;
    if (
      doc !== null &&
      invitation !== null &&
      invitation.expires_at > time() &&
      isIt(invitation.secret_sha256)
    )
      return doc;
    throw invalidInvitation();
  }

  /** @throws Refusal invitation_invalid */
  function attempted(token: string, address: string): GivenToken {
    const given = parseToken(token);
    if (given === null) throw invalidInvitation();
    guessing.attempt(given.uuid, address);
    return given;
  }

  /** Ends what was open before. @throws Refusal invitation_invalid */
  async function begin(account: ConsoleAccountDoc, way: SignInWay, shownAt?: number): Promise<SignedIn> {
    await sessions.endOf(account.member_uuid);
    const signedIn = await entry.begin(account, way, shownAt);
    if (signedIn === null) throw invalidInvitation();
    return signedIn;
  }

  return {
    async accept(token, password, address) {
      const given = attempted(token, address);
      const hash = await passwords.hash(password);
      const account = await accounts.change(given.uuid, (doc) => {
        const open = requireOpen(doc, (digest) => isDigestOf(digest, given.secret));
        const next = { ...open, password: hash, password_at: time(), invitation: null, totp: null };
        return { doc: next, result: next };
      });
      guessing.succeeded(account.account_id, address);
      const { member_uuid: member, company_uuid: company } = account;
      await subjects.removeOf(member);
      const actor = actorOfMember(member);
      await recordAct(
        app,
        { company, member, actor },
        { type: 'PasswordSet', data: { member_uuid: member } },
      );
      return begin(account, 'password');
    },

    async acceptBySubject({ accountId, digest }, subject, shownAt) {
      const account = await accounts.change(accountId, async (doc) => {
        const open = requireOpen(doc, (of) => of === digest);
        await subjects.link(subject, { companyUuid: open.company_uuid, memberUuid: open.member_uuid });
        const next = { ...open, password: null, password_at: null, invitation: null, totp: null };
        return { doc: next, result: next };
      });
      return begin(account, 'oidc', shownAt);
    },

    async examineInvitation(token, address) {
      const given = attempted(token, address);
      const doc = await accounts.get(given.uuid);
      const open = requireOpen(doc, (digest) => isDigestOf(digest, given.secret));
      guessing.succeeded(given.uuid, address);
      return { accountId: open.account_id, digest: open.invitation?.secret_sha256 ?? '' };
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
  };
}

const invalidInvitation = (): Refusal =>
  new Refusal(
    'invitation_invalid',
    'This invitation was used already, is too old, or was replaced by a newer one. Ask an owner of the company for a new one.',
  );
const emailTaken = (): Refusal =>
  new Refusal('email_taken', 'Somebody else signs in with this e-mail. Use another one.');
