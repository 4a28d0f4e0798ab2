/** Identifiers that are made from personal data, under the deployment's secret so that nobody can compute them back. */
import { deriveSecretId } from '../../domain/kernel/ids.js';

/** The person behind a phone (by its key) or a WhatsApp user id, as far as one company knows them. */
export const subjectOf = (secret: Uint8Array, companyUuid: string, who: string): string =>
  deriveSecretId(secret, 'person', companyUuid, who);

/** Stream of the uniqueness claim on a person's phone or WhatsApp user id. */
export const personIdentity = (secret: Uint8Array, companyUuid: string, who: string): string =>
  deriveSecretId(secret, 'contact-identity', companyUuid, who);

/** Stream of the uniqueness claim on an integration's external id. */
export const externalIdentity = (secret: Uint8Array, integrationUuid: string, externalId: string): string =>
  deriveSecretId(secret, 'external-id', integrationUuid, externalId);
