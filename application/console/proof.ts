/** Proves that a caller is the person of an account: by the password, and by the second factor where there is one. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import type { App } from '../app.js';
import type { Accounts } from './accounts.js';
import type { Guessing } from './guessing.js';
import { recordOwn, type Whose } from './own-account.js';
import type { Passwords } from './passwords.js';
import { afterCode } from './second-factor.js';

/** What a person sends to prove who he is. `code` is of the authenticator app, or a recovery code. */
export interface Proof {
  readonly password: string;
  readonly code?: string | undefined;
}

/** @throws Refusal sign_in_failed, code_needed, sign_in_slowed */
export type Prove = (id: string, proof: Proof, address: string) => Promise<ConsoleAccountDoc>;

export function createProof(
  app: Pick<App, 'executor' | 'clock' | 'newId' | 'secrets' | 'logger'>,
  {
    accounts,
    passwords,
    guessing,
  }: { readonly accounts: Accounts; readonly passwords: Passwords; readonly guessing: Guessing },
): Prove {
  /** Nobody waits for it: an account that is known must not answer later than one that is not. */
  function noteFailure(account: Whose): Refusal {
    const { member_uuid } = account;
    recordOwn(app, account, { type: 'SignInFailed', data: { member_uuid } }, 'visitor').catch(
      (error: unknown) =>
        app.logger.warn({ err: error, member: member_uuid }, 'a failed sign-in could not be recorded'),
    );
    return signInFailed();
  }

  return async (id, { password, code }, address) => {
    guessing.attempt(id, address);
    const known = await accounts.get(id);
    // It takes as long for who is not known.
    const isRight = await passwords.isRight(password, known?.password ?? null);
    if (known === null) throw signInFailed();
    if (!isRight) throw noteFailure(known);
    if (known.totp?.confirmed !== true) {
      guessing.succeeded(id, address);
      return known;
    }
    if (code === undefined || code === '') {
      throw new Refusal('code_needed', 'Send the code of your authenticator app too, or a recovery code.');
    }
    const proved = await accounts.change(id, (doc) => {
      const next =
        doc === null || doc.password?.hash !== known.password?.hash ? null : afterCode(app, doc, code);
      return { doc: next ?? undefined, result: next };
    });
    if (proved === null) throw noteFailure(known);
    guessing.succeeded(id, address);
    return proved;
  };
}

/** The same for who is not known, has no password, or may no longer sign in. */
export const signInFailed = (): Refusal =>
  new Refusal('sign_in_failed', 'E-mail, password or code are wrong, or this account may not sign in.');
