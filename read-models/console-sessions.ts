/** Who is signed in to the console: operational records outside the event history (docs/adr/0041). */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { Role } from '../domain/policies/roles.js';
import { collection } from './collection.js';

/** A link that signs somebody in once. Its secret is stored as a digest only. */
export type SignInLinkDoc = {
  readonly link_uuid: string;
  /** Lower-case hex. */
  readonly secret_sha256: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** Null until it was used. */
  readonly used_at: string | null;
};

export const signInLinks = collection<SignInLinkDoc>()({
  name: 'sign_in_links',
  version: 1,
  indexes: { newest: ['created_at'] },
});

export type ConsoleSessionDoc = {
  readonly session_uuid: string;
  /** Lower-case hex. */
  readonly secret_sha256: string;
  /** As recorded with the events of its calls. */
  readonly actor: string;
  readonly role: Role;
  /** Null for operators, who are of no company. */
  readonly company_uuid: CompanyUuid | null;
  /** Who it is in the company's team; null for operators. */
  readonly member_uuid: string | null;
  readonly created_at: string;
  /** Its last call, to a few minutes. */
  readonly seen_at: string;
  /** When the person last showed a password or a link, or who he is to the identity provider. */
  readonly proved_at: string;
  /** The end, however busy it is. */
  readonly expires_at: string;
  /** Absent from sessions of earlier releases. */
  readonly signed_in_by?: 'link' | 'password' | 'oidc';
};

export const consoleSessions = collection<ConsoleSessionDoc>()({
  name: 'console_sessions',
  version: 3,
  indexes: { newest: ['created_at'], by_member: ['member_uuid', 'created_at'] },
});
