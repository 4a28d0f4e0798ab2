/** Wishes about marketing, and where a contact came from (spec §2, Contact). */
import { contactAggregate, type Wish } from '../../domain/contact/decide.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { survivorOf } from '../people/survivor.js';
import { commandContact } from './write.js';

/** What happens to a contact by its uuid, as the API shows it. */
export interface ContactRef {
  readonly companyUuid: string;
  readonly uuid: string;
}

/** May be repeated and come late: the wish uttered last holds. @throws Refusal not_found */
export async function optOut(
  app: App,
  contact: ContactRef,
  wish: Wish,
  context: CommandContext,
): Promise<void> {
  await commandContact(app, contact.companyUuid, contact.uuid, { type: 'OptOut', ...wish }, context);
}

/** @throws Refusal not_found */
export async function optIn(
  app: App,
  contact: ContactRef,
  wish: Wish,
  context: CommandContext,
): Promise<void> {
  await commandContact(app, contact.companyUuid, contact.uuid, { type: 'OptIn', ...wish }, context);
}

export interface OptOutState {
  readonly optedOut: boolean;
  /** When the last wish about marketing was uttered, either way; null when none was. */
  readonly wishAt: string | null;
}

/** From the contact's stream: no read model has a say in who may be written to. False for contacts that never were. */
export async function isOptedOut(app: App, contactUuid: string): Promise<OptOutState> {
  const { contact } = await survivorOf(app, contactUuid);
  return { optedOut: contact.optedOut, wishAt: contact.wishAt };
}

/** Longest value that is kept of what Meta sends about an ad. */
const MAX_LENGTH = 512;

/**
 * First touch only: later ads, and values that are there already, change nothing.
 * @param referral Meta's `referral` object of a message, as it came
 * @throws Refusal not_found
 */
export async function attribute(
  app: App,
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
