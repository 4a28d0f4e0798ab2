/** The second factor of a person: an authenticator app, and recovery codes in its place. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import type { App } from '../app.js';
import type { Accounts } from './accounts.js';
import type { Entry } from './entry.js';
import type { Guessing } from './guessing.js';
import { enrolmentUri, newRecoveryCodes, newSecret, recoveryDigest, stepOf } from './one-time-codes.js';
import { changeOwn, recordOwn, requireAccount, type Own } from './own-account.js';

export interface SecondFactor {
  enrolTotp(own: Own): Promise<{ readonly secret: string; readonly uri: string }>;
  /** Returns recovery codes, which are never shown again. @throws Refusal code_invalid */
  confirmTotp(own: Own, code: string): Promise<readonly string[]>;
  removeTotp(own: Own): Promise<void>;
}

export function createSecondFactor(
  app: Pick<App, 'executor' | 'clock' | 'newId' | 'secrets'>,
  {
    accounts,
    entry,
    guessing,
  }: { readonly accounts: Accounts; readonly entry: Pick<Entry, 'member'>; readonly guessing: Guessing },
): SecondFactor {
  const { clock, secrets } = app;

  return {
    async enrolTotp({ memberUuid }) {
      const account = await requireAccount(accounts, memberUuid);
      const person = await entry.member(memberUuid);
      const secret = newSecret();
      await changeOwn(accounts, account, (doc) => {
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
      const account = await requireAccount(accounts, memberUuid);
      guessing.attempt(account.account_id, address);
      const codes = newRecoveryCodes();
      await changeOwn(accounts, account, (doc) => {
        const { totp } = doc;
        if (totp === null || totp.confirmed) throw codeInvalid();
        const secret = secrets.open(totp.secret_sealed, sealedFor(doc.account_id));
        const step = stepOf(secret, code, clock.now(), 0);
        if (step === null) throw codeInvalid();
        const recovery_sha256 = codes.map(recoveryDigest);
        return [{ ...doc, totp: { ...totp, confirmed: true, last_step: step, recovery_sha256 } }, undefined];
      });
      guessing.succeeded(account.account_id, address);
      await recordOwn(app, account, {
        type: 'SecondFactorChanged',
        data: { member_uuid: memberUuid, on: true },
      });
      return codes;
    },

    async removeTotp({ memberUuid }) {
      const account = await requireAccount(accounts, memberUuid);
      await changeOwn(accounts, account, (doc) => [{ ...doc, totp: null }, undefined]);
      await recordOwn(app, account, {
        type: 'SecondFactorChanged',
        data: { member_uuid: memberUuid, on: false },
      });
    },
  };
}

/** The record after its code was used up; null for a wrong code. */
export function afterCode(
  { secrets, clock }: Pick<App, 'secrets' | 'clock'>,
  doc: ConsoleAccountDoc,
  code: string,
): ConsoleAccountDoc | null {
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

const sealedFor = (accountId: string): string => `totp:${accountId}`;

const codeInvalid = (): Refusal =>
  new Refusal('code_invalid', 'The code is not the present one of your app. Check the clock of your phone.');
