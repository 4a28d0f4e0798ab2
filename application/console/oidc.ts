/** Sign-in at an identity provider (docs/adr/0053), and what else a person may prove there. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Pace } from '../../domain/policies/gcra.js';
import { IdentityError, type Identity, type IdentityProvider } from '../../ports/identity-provider.js';
import type { ConsoleSessionDoc } from '../../read-models/console-sessions.js';
import type { App } from '../app.js';
import { createThrottle, networkOf } from '../throttle.js';
import { createEntry } from './entry.js';
import type { Invitations } from './invitations.js';
import {
  ATTEMPT_MS,
  createOidcAttempts,
  invalidAnswer,
  RETURN_PATH,
  type Aim,
  type Attempt,
  type OidcPurpose,
} from './oidc-attempts.js';
import { slowed } from './passwords.js';
import type { Sessions, SignedIn } from './sessions.js';
import { createSubjects } from './subjects.js';

/** Generous: an office has one address. Each answer is a call to the provider. */
export const OIDC_FROM_NETWORK: Pace = { burst: 30, intervalMs: 2_000 };
/** How far the provider's clock may be from ours. */
const SKEW_MS = 60_000;
export interface Begun {
  /** Where to send the browser. */
  readonly url: string;
  /** For a cookie: the answer is of use with it only. */
  readonly attempt: string;
  readonly expiresAt: string;
}

/** `signedIn` is null where the existing session stays. */
export interface OidcOutcome {
  readonly purpose: OidcPurpose;
  readonly signedIn: SignedIn | null;
  readonly session: ConsoleSessionDoc;
}

export interface OidcSignIn {
  /** As people know the provider. */
  readonly name: string;
  /** Host name of the console to which the provider sends browsers back, and its address. */
  readonly home: () => { readonly host: string; readonly address: string };
  /** To be registered with the provider. */
  readonly redirectUri: () => string;
  /** Why the provider can not be used; null when it can. */
  check(): Promise<string | null>;
  /** @param invitation accepts it @throws Refusal invitation_invalid, oidc_unreachable, sign_in_slowed */
  begin(invitation: string | undefined, address: string): Promise<Begun>;
  /** The person will be able to sign in there. @throws Refusal as `begin` */
  beginLink(sessionUuid: string, address: string): Promise<Begun>;
  /** The provider asks again who the person is, which counts as the password does. @throws Refusal as `begin` */
  beginConfirmation(sessionUuid: string, address: string): Promise<Begun>;
  /**
   * @param answer the query with which the browser came back
   * @throws Refusal oidc_answer_invalid, oidc_refused, oidc_unreachable, oidc_subject_unknown, oidc_subject_taken,
   * oidc_not_shown, invitation_invalid, sign_in_slowed
   */
  finish(attempt: string, answer: string, address: string): Promise<OidcOutcome>;
}

export async function createOidcSignIn(
  app: Pick<
    App,
    'readModels' | 'clock' | 'leases' | 'executor' | 'indexSecret' | 'secrets' | 'logger' | 'newId'
  >,
  deps: {
    readonly provider: IdentityProvider;
    readonly sessions: Sessions;
    readonly people: Pick<Invitations, 'acceptBySubject' | 'examineInvitation'>;
    /** Of the console, as browsers reach it. A function, because the port may be known late. */
    readonly consoleUrl: () => string;
  },
): Promise<OidcSignIn> {
  const { clock, logger } = app;
  const { provider, sessions, people, consoleUrl } = deps;
  const attempts = await createOidcAttempts(app, consoleUrl);
  const subjects = await createSubjects(app);
  const entry = createEntry(app, sessions);
  const networks = createThrottle(OIDC_FROM_NETWORK);
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  /** @throws Refusal sign_in_slowed */
  function pace(address: string): void {
    const seconds = networks.take(networkOf(address), clock.monotonic());
    if (seconds > 0) throw slowed(seconds);
  }

  async function asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      const { failure, reason } = error;
      logger.warn({ failure, reason }, 'a sign-in at the identity provider failed');
      if (failure === 'unreachable') throw unreachable(provider.name);
      throw failure === 'refused' ? refused(provider.name, reason) : invalidAnswer();
    }
  }

  async function start(aim: Aim, address: string): Promise<Begun> {
    pace(address);
    const attempt = attempts.create(aim);
    const url = await asked(() => provider.begin(attempt.request));
    return {
      url,
      attempt: attempts.sealed(attempt),
      expiresAt: time(attempt.beganAt + ATTEMPT_MS),
    };
  }

  /** The session that asked, if it has not ended since. @throws Refusal oidc_answer_invalid */
  async function asking({ of }: Attempt) {
    const session = await sessions.open(of);
    if (session === null || session.member_uuid === null || session.company_uuid === null)
      throw invalidAnswer();
    return { session, memberUuid: session.member_uuid, companyUuid: session.company_uuid };
  }

  async function signIn(identity: Identity): Promise<SignedIn> {
    const subject = await subjects.get(identity);
    const signedIn = subject && (await entry.begin(subject, 'oidc', identity.shownAt ?? NEVER));
    if (signedIn === null) throw unknownSubject(provider.name);
    return signedIn;
  }

  async function link(attempt: Attempt, identity: Identity): Promise<ConsoleSessionDoc> {
    const { session, memberUuid, companyUuid } = await asking(attempt);
    await subjects.link(identity, { companyUuid, memberUuid });
    logger.info({ member: memberUuid }, 'a person signs in at the identity provider from now on');
    return session;
  }

  async function confirm(attempt: Attempt, identity: Identity): Promise<ConsoleSessionDoc> {
    const { session, memberUuid } = await asking(attempt);
    if ((await subjects.get(identity))?.member_uuid !== memberUuid) throw unknownSubject(provider.name);
    if ((identity.shownAt ?? NEVER) < attempt.beganAt - SKEW_MS) throw notShown(provider.name);
    await sessions.proved(session.session_uuid);
    return session;
  }

  return {
    name: provider.name,
    home: () => ({ host: new URL(consoleUrl()).hostname, address: `${consoleUrl()}/console` }),

    redirectUri: () => consoleUrl() + RETURN_PATH,

    async check() {
      try {
        await provider.check();
        return null;
      } catch (error) {
        if (error instanceof IdentityError) return error.reason;
        throw error;
      }
    },

    async begin(invitation, address) {
      if (invitation === undefined) return start({ purpose: 'sign_in' }, address);
      const { accountId, digest } = await people.examineInvitation(invitation, address);
      return start({ purpose: 'invitation', of: accountId, mark: digest }, address);
    },

    beginLink: (sessionUuid, address) => start({ purpose: 'link', of: sessionUuid }, address),
    beginConfirmation: (sessionUuid, address) => start({ purpose: 'confirm', of: sessionUuid }, address),

    async finish(sealed, answer, address) {
      pace(address);
      const attempt = attempts.opened(sealed, answer);
      await attempts.useUp(attempt);
      const identity = await asked(() => provider.finish(attempt.request, answer));
      const { purpose } = attempt;
      if (purpose === 'link') return { purpose, signedIn: null, session: await link(attempt, identity) };
      if (purpose === 'confirm')
        return { purpose, signedIn: null, session: await confirm(attempt, identity) };
      const signedIn =
        purpose === 'sign_in'
          ? await signIn(identity)
          : await people.acceptBySubject(
              { accountId: attempt.of, digest: attempt.mark },
              identity,
              identity.shownAt ?? NEVER,
            );
      return { purpose, signedIn, session: signedIn.session };
    },
  };
}

/** Where the provider does not say when, what asks for the password is asked for. */
const NEVER = 0;
const unreachable = (name: string): Refusal =>
  new Refusal(
    'oidc_unreachable',
    `${name} does not answer as it should, so nobody can sign in there now. Try again in a minute, or sign in with your password.`,
    { retry_after_seconds: 60 },
  );
const refused = (name: string, reason: string): Refusal =>
  new Refusal('oidc_refused', `${name} did not sign you in (${reason}). Start again, and agree there.`, {
    reason,
  });
const unknownSubject = (name: string): Refusal =>
  new Refusal(
    'oidc_subject_unknown',
    `Nobody who may sign in here has this account of ${name}. Open your invitation first, or sign in with your password and connect the account under My account.`,
  );
const notShown = (name: string): Refusal =>
  new Refusal(
    'oidc_not_shown',
    `${name} did not ask you again who you are, or does not say so. Ask an owner of the company for a new link, and set a password by it.`,
  );
export const oidcOff = (): Refusal =>
  new Refusal('oidc_off', 'No identity provider is set up here. Sign in with your password.');
