/** Identifiers derived from personal data, under the deployment's secret so that they cannot be reversed. */
import { deriveSecretId, type CompanyUuid } from '../../domain/kernel/ids.js';

/** Sealing subject of the person with a phone (by its key) or a WhatsApp user id; separate for each company. */
export const subjectOf = (secret: Uint8Array, companyUuid: CompanyUuid, who: string): string =>
  deriveSecretId(secret, 'person', companyUuid, who);

/** Stream of the uniqueness claim on a person's phone or WhatsApp user id. */
export const personIdentity = (secret: Uint8Array, companyUuid: CompanyUuid, who: string): string =>
  deriveSecretId(secret, 'contact-identity', companyUuid, who);

/** Stream of the uniqueness claim on an integration's external id. */
export const externalIdentity = (secret: Uint8Array, integrationUuid: string, externalId: string): string =>
  deriveSecretId(secret, 'external-id', integrationUuid, externalId);
