/** How people prove who they are: operational records outside the event history (docs/adr/0051). */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type ConsoleAccountDoc = {
  /** A keyed hash of the e-mail, which stands in the history only, sealed. */
  readonly account_id: string;
  readonly company_uuid: CompanyUuid;
  readonly member_uuid: string;
  /** Null until an invitation was used. */
  readonly password: {
    readonly n: number;
    readonly r: number;
    readonly p: number;
    readonly salt: string;
    readonly hash: string;
  } | null;
  readonly password_at: string | null;
  /** The last one that was made; null when it was used. */
  readonly invitation: { readonly secret_sha256: string; readonly expires_at: string } | null;
  /** Null without a second factor. */
  readonly totp: {
    readonly secret_sealed: string;
    /** False until a code of it was shown. */
    readonly confirmed: boolean;
    /** The time step of the last code that was used. */
    readonly last_step: number;
    /** Lower-case hex; each works once. */
    readonly recovery_sha256: readonly string[];
  } | null;
  readonly created_at: string;
};

export const consoleAccounts = collection<ConsoleAccountDoc>()({
  name: 'console_accounts',
  version: 1,
  indexes: { by_member: ['member_uuid', 'created_at'] },
});
