/** Which ledgers a send is counted in, and what is in them. */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { Contact } from '../../domain/contact/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { deriveId, deriveSecretId } from '../../domain/kernel/ids.js';
import { ledgerAggregate } from '../../domain/ledger/decide.js';
import type { Ledger } from '../../domain/ledger/state.js';
import { canonicalJson } from '../../domain/policies/canonical-json.js';
import { DAY_MS } from '../../domain/policies/gates.js';
import type { App } from '../app.js';
import { personIdentity, subjectOf } from '../people/subject.js';
import { survivorOf } from '../people/survivor.js';

/** Whom a send is for. `contact` is null for somebody the company does not know yet. */
export interface Recipient {
  readonly uuid: string | null;
  readonly subject: string;
  readonly contact: Contact | null;
}

/** By the phone's key, so that both ways of writing a Brazilian number are one person; after merges, who goes on. */
export async function findRecipient(app: App, companyUuid: string, phoneKey: string): Promise<Recipient> {
  const identity = personIdentity(app.indexSecret, companyUuid, phoneKey);
  const { owner } = (await app.executor.load(identityAggregate, identity)).state;
  const nobody = { uuid: null, subject: subjectOf(app.indexSecret, companyUuid, phoneKey), contact: null };
  if (owner === null) return nobody;
  const { uuid, contact } = await survivorOf(app, owner);
  return contact.exists ? { uuid, subject: contact.subject, contact } : nobody;
}

/** How a send names the one it is for: a contact that is known, or whoever has a phone. */
export type Addressee = { readonly contactUuid: string } | { readonly phoneKey: string };

export async function recipientOf(app: App, companyUuid: string, addressee: Addressee): Promise<Recipient> {
  if ('phoneKey' in addressee) return findRecipient(app, companyUuid, addressee.phoneKey);
  const { uuid, contact } = await survivorOf(app, addressee.contactUuid);
  return { uuid, subject: contact.subject, contact };
}

export const recipientLedger = (subject: string): string => deriveId('recipient-ledger', subject);

/** Ledgers of contacts that were merged into this one: they count too. */
export async function absorbedLedgers(app: App, contact: Contact | null): Promise<readonly string[]> {
  if (contact === null || contact.absorbed.length === 0) return [];
  const absorbed = await Promise.all(
    contact.absorbed.map((uuid) => app.executor.load(contactAggregate, uuid)),
  );
  const subjects = absorbed
    .map(({ state }) => state.subject)
    .filter((subject) => subject !== contact.subject);
  return [...new Set(subjects)].map(recipientLedger);
}

/** One message to one phone. Its parameters are personal, so nobody may be able to try them out. */
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

/** A template by its name: its languages are one template. */
export const templateKey = (companyUuid: string, name: string): string =>
  deriveId('template-name', companyUuid, name);

/** Days since the epoch. A company's ledgers are cut by them only to stay short; the cap's window knows no midnight. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
export const companyLedger = (companyUuid: string, day: number): string =>
  deriveId('company-ledger', companyUuid, day);

export const loadLedgers = (app: App, ids: readonly string[]): Promise<readonly Ledger[]> =>
  Promise.all(ids.map(async (id) => (await app.executor.load(ledgerAggregate, id)).state));
