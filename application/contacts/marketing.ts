/** Consent to marketing, and the source of a contact (spec §2, Contact). */
import { contactAggregate, type Wish } from '../../domain/contact/decide.js';
import type { CompanyUuid, ContactUuid } from '../../domain/kernel/ids.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { commandContact } from './write.js';

/** A contact, by the uuid that the API shows. */
export interface ContactRef {
  readonly companyUuid: CompanyUuid;
  readonly uuid: string;
}

/** May be repeated and arrive late: the most recent statement of the contact applies. @throws Refusal not_found */
export async function optOut(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  contact: ContactRef,
  wish: Wish,
  context: CommandContext,
): Promise<void> {
  await commandContact(app, contact.companyUuid, contact.uuid, { type: 'OptOut', ...wish }, context);
}

/** @throws Refusal not_found */
export async function optIn(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  contact: ContactRef,
  wish: Wish,
  context: CommandContext,
): Promise<void> {
  await commandContact(app, contact.companyUuid, contact.uuid, { type: 'OptIn', ...wish }, context);
}

export interface OptOutState {
  readonly optedOut: boolean;
  /** When the contact last opted out or in; null when never. */
  readonly wishAt: string | null;
}

/** Read from the contact's stream: consent must not depend on a read model. False for contacts that do not exist. */
export async function isOptedOut(app: Pick<App, 'executor'>, contactUuid: ContactUuid): Promise<OptOutState> {
  const { contact } = await primaryContactOf(app, contactUuid);
  return { optedOut: contact.optedOut, wishAt: contact.wishAt };
}

/** Maximum length of a stored value from Meta's data about an ad. */
const MAX_LENGTH = 512;

/**
 * First touch only: later ads do not change a contact, and values that exist are kept.
 * @param referral Meta's `referral` object of a message, unmodified
 * @throws Refusal not_found
 */
export async function attribute(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  contact: ContactRef,
  referral: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<void> {
  const { state } = await app.executor.load(contactAggregate, contact.uuid);
  if (state.attributed) return;
  const named = {
    ctwa_clid: referral['ctwa_clid'],
    ad_id: referral['source_id'],
    referral_source: referral['source_type'] ?? referral['source_url'],
  };
  const customFields: Record<string, string> = {};
  for (const [key, value] of Object.entries(named)) {
    if (typeof value === 'string' && value !== '') customFields[key] = value.slice(0, MAX_LENGTH);
  }
  if (Object.keys(customFields).length === 0) return;
  await commandContact(
    app,
    contact.companyUuid,
    contact.uuid,
    { type: 'AttributeContact', customFields },
    context,
  );
}
