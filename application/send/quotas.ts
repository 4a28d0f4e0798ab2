/** The quotas that count a send, and their contents. */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { Contact } from '../../domain/contact/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { deriveId, deriveSecretId, type CompanyUuid, type ContactUuid } from '../../domain/kernel/ids.js';
import { quotaAggregate } from '../../domain/quota/decide.js';
import type { Quota } from '../../domain/quota/state.js';
import { canonicalJson } from '../../domain/policies/canonical-json.js';
import { DAY_MS } from '../../domain/policies/gates.js';
import type { App } from '../app.js';
import { personIdentity, subjectOf } from '../people/subject.js';
import { primaryContactOf } from '../people/primary-contact.js';

/** The recipient of a send. `contact` is null for a person that the company does not know yet. */
export interface Recipient {
  readonly uuid: string | null;
  readonly subject: string;
  readonly contact: Contact | null;
}

/** Found by the phone's key, so that both spellings of a Brazilian number are one person; the survivor after merges. */
export async function findRecipient(
  app: Pick<App, 'executor' | 'indexSecret'>,
  companyUuid: CompanyUuid,
  phoneKey: string,
): Promise<Recipient> {
  const identity = personIdentity(app.indexSecret, companyUuid, phoneKey);
  const { owner } = (await app.executor.load(identityAggregate, identity)).state;
  const nobody = { uuid: null, subject: subjectOf(app.indexSecret, companyUuid, phoneKey), contact: null };
  if (owner === null) return nobody;
  const { uuid, contact } = await primaryContactOf(app, owner);
  return contact.exists ? { uuid, subject: contact.subject, contact } : nobody;
}

/** The recipient as a send specifies it: a known contact, or a phone. */
export type Addressee = { readonly contactUuid: ContactUuid } | { readonly phoneKey: string };

export async function recipientOf(
  app: Pick<App, 'executor' | 'indexSecret'>,
  companyUuid: CompanyUuid,
  addressee: Addressee,
): Promise<Recipient> {
  if ('phoneKey' in addressee) return findRecipient(app, companyUuid, addressee.phoneKey);
  const { uuid, contact } = await primaryContactOf(app, addressee.contactUuid);
  return { uuid, subject: contact.subject, contact };
}

export const recipientLedger = (subject: string): string => deriveId('recipient-ledger', subject);

/** Quotas of contacts that were merged into this one: they count too. */
export async function absorbedLedgers(
  app: Pick<App, 'executor'>,
  contact: Contact | null,
): Promise<readonly string[]> {
  if (contact === null || contact.absorbed.length === 0) return [];
  const absorbed = await Promise.all(
    contact.absorbed.map((uuid) => app.executor.load(contactAggregate, uuid)),
  );
  const subjects = absorbed
    .map(({ state }) => state.subject)
    .filter((subject) => subject !== contact.subject);
  return [...new Set(subjects)].map(recipientLedger);
}

/** Quota of one message to one phone. The parameters are personal data, so its id is keyed and cannot be guessed. */
export const identicalLedger = (
  app: Pick<App, 'indexSecret'>,
  subject: string,
  message: { readonly name: string; readonly language: string; readonly components: unknown },
): string =>
  deriveSecretId(
    app.indexSecret,
    'identical-message',
    subject,
    message.name,
    message.language,
    canonicalJson(message.components),
  );

/** Identifies a template by its name: all its languages count as one template. */
export const templateKey = (companyUuid: CompanyUuid, name: string): string =>
  deriveId('template-name', companyUuid, name);

/**
 * Days since the epoch. A company's quotas are split by day only to keep them short; the window of the cap is
 * independent of midnight.
 */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
export const companyLedger = (companyUuid: CompanyUuid, day: number): string =>
  deriveId('company-ledger', companyUuid, day);

export const loadLedgers = (app: Pick<App, 'executor'>, ids: readonly string[]): Promise<readonly Quota[]> =>
  Promise.all(ids.map(async (id) => (await app.executor.load(quotaAggregate, id)).state));
