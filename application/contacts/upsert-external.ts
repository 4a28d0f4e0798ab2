/**
 * PUT /contacts/external/{external_id}: the contact with this phone gets this identifier (spec §4).
 *
 * Two streams decide. The contact's stream holds the one identifier by which an integration knows it. Of two
 * identifiers that race for one phone, one is refused before anything else has changed. The identifier's stream holds
 * the contact that owns it. Of two phones that race for one identifier, the later one gets it. Afterwards both contacts
 * are updated to match the owner of the identifier.
 */
import { contactAggregate } from '../../domain/contact/decide.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { entryOf } from '../../domain/kernel/entries.js';
import type { CompanyUuid, ContactUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { checkDetails, type ContactDetails } from '../../domain/policies/contact-details.js';
import { parsePhone } from '../../domain/policies/phone.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { resolveContact, type ResolvedContact } from '../people/resolve-contact.js';
import { externalIdentity } from '../people/subject.js';
import { primaryContactAfterMerge } from '../people/primary-contact.js';
import type { StoredContact } from './read.js';
import { commandContact, contactAfterWrite } from './write.js';

export interface UpsertExternal {
  readonly companyUuid: CompanyUuid;
  readonly integrationUuid: string;
  readonly externalId: string;
  /** As the caller sent it. */
  readonly phone: string;
  readonly details: ContactDetails;
  readonly source: 'api' | 'import';
}

const ATTEMPTS = 8;

/** Transient refusals: another writer merged, moved or changed the contact meanwhile. Resolve the contact again. */
const PASSING: ReadonlySet<string> = new Set(['contact_merged', 'look_again', 'concurrent_update']);

/** @throws Refusal validation_failed, external_contact_conflict, concurrent_update */
export const upsertExternalContact = async (
  app: Pick<
    App,
    'clock' | 'executor' | 'indexSecret' | 'newId' | 'personOwners' | 'readModels' | 'replay' | 'store'
  >,
  input: UpsertExternal,
  context: CommandContext,
): Promise<StoredContact> => contactAfterWrite(app, await upsertExternal(app, input, context));

/** Returns the contact's uuid. @throws as `upsertExternalContact` */
export async function upsertExternal(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'newId' | 'personOwners' | 'readModels' | 'store'>,
  input: UpsertExternal,
  context: CommandContext,
): Promise<string> {
  const { companyUuid, integrationUuid, externalId, source } = input;
  const phone = parsePhone(input.phone, 'phone');
  // Checked before anything is created; checked again after they are merged with existing data.
  checkDetails(input.details);
  const person = { phone: phone.e164, phoneKey: phone.key, waUserId: null, name: null };
  for (let attempt = 1; ; attempt += 1) {
    const own = { ...context, commandId: `${context.commandId}/${attempt}` };
    const contact = await resolveContact(app, companyUuid, person, source, own);
    try {
      await linkExclusively(app, integrationUuid, externalId, contact, own);
      const { uuid } = await commandContact(
        app,
        companyUuid,
        contact.uuid,
        { type: 'ChangeContact', source, details: input.details },
        own,
      );
      return uuid;
    } catch (error) {
      if (!(error instanceof Refusal) || !PASSING.has(error.code)) throw error;
      if (attempt < ATTEMPTS) continue;
      // The contact may still show an identifier that it did not get.
      await showAsHeld(app, integrationUuid, externalId, contact.uuid, own);
      throw busy();
    }
  }
}

async function linkExclusively(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'newId' | 'readModels'>,
  integrationUuid: string,
  externalId: string,
  contact: ResolvedContact,
  context: CommandContext,
): Promise<void> {
  const identity = externalIdentity(app.indexSecret, integrationUuid, externalId);
  const holder = await holderOf(app, identity, context);
  const theirs = holder === contact.uuid;
  try {
    await app.executor.execute(
      contactAggregate,
      contact.uuid,
      { type: 'LinkContact', integrationUuid, externalId, onlyIfFree: !theirs },
      { ...context, commandId: `${context.commandId}/link`, subject: contact.subject },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'contact_linked') throw error;
    const other = String(error.details['external_id']);
    await refuseUnlessStale(app, integrationUuid, other, contact, context);
    throw new Refusal('look_again', 'The link was stale.');
  }
  if (theirs) return;
  const from = await take(app, identity, holder, contact.uuid, context);
  if (from !== null) await showAsHeld(app, integrationUuid, externalId, from, context);
  await showAsHeld(app, integrationUuid, externalId, contact.uuid, context);
}

/** The contact that owns the identifier, after merges; null when it has no owner. */
async function holderOf(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  identity: string,
  context: CommandContext,
): Promise<string | null> {
  const { owner } = (await app.executor.load(identityAggregate, identity)).state;
  return owner === null ? null : (await primaryContactAfterMerge(app, owner, context)).uuid;
}

/** The contact shows another identifier: a conflict, unless that identifier has moved to another contact since. */
async function refuseUnlessStale(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'newId' | 'readModels'>,
  integrationUuid: string,
  other: string,
  contact: ResolvedContact,
  context: CommandContext,
): Promise<void> {
  const holder = await holderOf(app, externalIdentity(app.indexSecret, integrationUuid, other), context);
  // It has no owner yet: the caller that linked it is about to claim it.
  if (holder === null || holder === contact.uuid) {
    throw new Refusal(
      'external_contact_conflict',
      'The contact with this phone is already linked to another external_id.',
      { contact_uuid: contact.uuid, external_id: other },
    );
  }
  await showAsHeld(app, integrationUuid, other, contact.uuid, context);
}

/** Claims the identifier, or takes it over from its current owner. Returns that owner: it may differ from `holder`. */
async function take(
  app: Pick<App, 'executor'>,
  identity: string,
  holder: string | null,
  to: string,
  context: CommandContext,
): Promise<string | null> {
  const { owner } = (await app.executor.load(identityAggregate, identity)).state;
  if (owner !== null && holder === null && owner !== to) throw new Refusal('look_again', 'It was claimed.');
  try {
    await app.executor.execute(
      identityAggregate,
      identity,
      owner === null
        ? { type: 'ClaimIdentity', kind: 'external_id', owner: to }
        : { type: 'TransferIdentity', kind: 'external_id', from: owner, to },
      { ...context, commandId: `${context.commandId}/take`, subject: null },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
    throw new Refusal('look_again', 'It was given to somebody else.');
  }
  return owner;
}

/** Updates a contact to match the owner of the identifier; repeated while other callers move the identifier. */
async function showAsHeld(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'newId' | 'readModels'>,
  integrationUuid: string,
  externalId: string,
  contactUuid: ContactUuid,
  context: CommandContext,
): Promise<void> {
  const identity = externalIdentity(app.indexSecret, integrationUuid, externalId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { uuid, contact } = await primaryContactAfterMerge(app, contactUuid, context);
    const held = (await holderOf(app, identity, context)) === uuid;
    const shown = entryOf(contact.links, integrationUuid) === externalId;
    const kept = (entryOf(contact.externalIds, integrationUuid) ?? []).includes(externalId);
    if (held ? shown : !kept) return;
    await app.executor.execute(
      contactAggregate,
      uuid,
      { type: held ? 'LinkContact' : 'UnlinkContact', integrationUuid, externalId },
      {
        ...context,
        commandId: `${context.commandId}/show/${externalId}/${uuid}/${attempt}/${app.newId()}`,
        subject: contact.subject,
      },
    );
  }
  throw busy();
}

const busy = (): Refusal =>
  new Refusal('concurrent_update', 'The contact was changed by others at the same time. Try again.', {
    retry_after_seconds: 1,
  });
