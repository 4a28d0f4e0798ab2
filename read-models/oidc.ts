/** Who of the people signs in at the identity provider: operational records outside the event history (docs/adr/0053). */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

/** The provider's name of a person, and whose it is here. */
export type OidcSubjectDoc = {
  /** A keyed hash of issuer and subject. */
  readonly subject_id: string;
  readonly company_uuid: CompanyUuid;
  readonly member_uuid: string;
  readonly linked_at: string;
};

export const oidcSubjects = collection<OidcSubjectDoc>()({
  name: 'oidc_subjects',
  version: 1,
  indexes: { by_member: ['member_uuid', 'linked_at'] },
});

/** An answer of the provider that was taken: it works once. */
export type OidcAnswerDoc = {
  readonly attempt_uuid: string;
  readonly created_at: string;
  /** Its sign-in is too old from then on, used or not. */
  readonly expires_at: string;
};

export const oidcAnswers = collection<OidcAnswerDoc>()({
  name: 'oidc_answers',
  version: 1,
  indexes: { newest: ['created_at'] },
});
