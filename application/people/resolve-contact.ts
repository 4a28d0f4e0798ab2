/**
 * Finds or creates the contact of a phone or a WhatsApp user id. Two concurrent callers get the same contact: the first
 * claim on the identity wins, and the contact's uuid derives from it.
 */
import { contactAggregate, type ContactCommand, type ContactSource } from '../../domain/contact/decide.js';
import type { Contact } from '../../domain/contact/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import type { Identity } from '../../domain/identity/state.js';
import { entryOf } from '../../domain/kernel/entries.js';
import { deriveId, type CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { externalIdentity, personIdentity, subjectOf } from './subject.js';
import { primaryContactAfterMerge, mergeContacts, subjectOfDataFor } from './primary-contact.js';

export interface Person {
  readonly phone: string | null;
  readonly phoneKey: string | null;
  readonly waUserId: string | null;
  readonly name: string | null;
}

export interface ResolvedContact {
  readonly uuid: string;
  /** Seals the data that the caller came with; not the contact's own where that was erased before a merge. */
  readonly subject: string;
  readonly contact: Contact;
  /** The call has just created the contact. Absent otherwise. */
  readonly isNew?: true;
}

/** Of two callers that create or merge one person concurrently, one retries; more than a few retries is a fault. */
const ATTEMPTS = 5;

/**
 * A person given by both phone and user id is found by either, and the missing one is added. When they belonged to
 * different contacts, those are merged.
 *
 * @throws Refusal validation_failed when neither is given; concurrent_update
 */
export async function resolveContact(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  companyUuid: CompanyUuid,
  person: Person,
  source: ContactSource,
  context: CommandContext,
): Promise<ResolvedContact> {
  const { phoneKey, waUserId } = person;
  const who = phoneKey ?? waUserId;
  if (who === null) throw new Refusal('validation_failed', 'A contact needs a phone or a WhatsApp user id.');
  const first = personIdentity(app.indexSecret, companyUuid, who);
  const remembered = await rememberedContact(app, first, person);
  if (remembered !== null) return remembered;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [ofPhone, ofUser] = await Promise.all([
      phoneKey === null ? NOBODY : ownersOf(app, companyUuid, phoneKey),
      waUserId === null ? NOBODY : ownersOf(app, companyUuid, waUserId),
    ]);
    const [byPhone, byUser] = [ofPhone.owner, ofUser.owner];
    if (byPhone !== null && byUser !== null && byPhone !== byUser) {
      await mergeContacts(app, companyUuid, [byPhone, byUser], 'same_person', context);
    }
    const known = byPhone ?? byUser;
    const whole = { ...person, who };
    const { uuid, found } =
      known === null
        ? await claimAndCreate(app, companyUuid, whole, source, context)
        : {
            uuid: known,
            found: await ensureContact(app, companyUuid, known, whole, source, {
              ...context,
              assumeNew: false,
            }),
          };
    const named = [...ofPhone.earlier, ...ofUser.earlier, uuid];
    const subject =
      context.dataFrom === undefined ? found.subject : await subjectOfDataFor(app, found, named);
    const resolved = { ...found, subject };
    const missing = [
      ...(phoneKey !== null && byPhone === null ? [{ kind: 'phone', who: phoneKey } as const] : []),
      ...(waUserId !== null && byUser === null ? [{ kind: 'wa_user_id', who: waUserId } as const] : []),
    ];
    const claims: boolean[] = [];
    for (const one of missing) claims.push(await claimPerson(app, companyUuid, one, resolved.uuid, context));
    if (claims.every(Boolean)) {
      if (subject === found.subject) app.personOwners.set(first, resolved.uuid);
      return learn(app, resolved, person, source, context);
    }
  }
  throw new Refusal('concurrent_update', 'The contact was changed by others at the same time. Try again.', {
    retry_after_seconds: 1,
  });
}

/**
 * The contact by which this process last knew the person. An identity changes its owner only after its contact was
 * merged or erased, and the contact's own stream records both. So one read of that stream proves the cached owner, and
 * the identity's stream need not be read. Null when the identity must be read, or data added or claimed.
 */
async function rememberedContact(
  app: Pick<App, 'executor' | 'personOwners'>,
  identity: string,
  { phoneKey, waUserId }: Person,
): Promise<ResolvedContact | null> {
  const uuid = app.personOwners.get(identity);
  if (uuid === undefined) return null;
  const { state: contact } = await app.executor.load(contactAggregate, uuid);
  const holdsAll =
    contact.mergedInto === null &&
    !contact.erased &&
    (phoneKey === null || (contact.phone !== null && contact.phoneKeys.includes(phoneKey))) &&
    (waUserId === null || contact.userIds.includes(waUserId));
  return holdsAll ? { uuid, subject: contact.subject, contact } : null;
}

/** An identity that nobody has had. */
export const NOBODY: Identity = { owner: null, earlier: [] };

/** Who has, and had, a phone or a WhatsApp user id. `who`: a phone key or a user id. */
export async function ownersOf(
  app: Pick<App, 'executor' | 'indexSecret'>,
  companyUuid: CompanyUuid,
  who: string,
): Promise<Identity> {
  const identity = personIdentity(app.indexSecret, companyUuid, who);
  return (await app.executor.load(identityAggregate, identity)).state;
}

/** The contact that owns a phone, or the uuid that a new one would get. Writes nothing. */
export async function contactUuidOf(
  app: Pick<App, 'executor' | 'indexSecret'>,
  companyUuid: CompanyUuid,
  phoneKey: string,
): Promise<string> {
  const { owner } = await ownersOf(app, companyUuid, phoneKey);
  return owner ?? uuidOfNew(personIdentity(app.indexSecret, companyUuid, phoneKey));
}

/** Derived from the first identity, so that a retry arrives at the same contact. */
const uuidOfNew = (identity: string): string => deriveId('contact', identity);

/** Of two concurrent callers, the first claim wins. `isNew`: as far as known, no caller has created the contact yet. */
async function claimNew(
  app: Pick<App, 'executor' | 'indexSecret'>,
  companyUuid: CompanyUuid,
  { phoneKey, waUserId }: Person,
  context: CommandContext,
): Promise<{ readonly uuid: string; readonly isNew: boolean }> {
  const identity = personIdentity(app.indexSecret, companyUuid, (phoneKey ?? waUserId)!);
  const uuid = uuidOfNew(identity);
  try {
    const { events } = await app.executor.execute(
      identityAggregate,
      identity,
      { type: 'ClaimIdentity', kind: phoneKey === null ? 'wa_user_id' : 'phone', owner: uuid },
      { ...context, commandId: `${context.commandId}/claim`, subject: null },
    );
    return { uuid, isNew: events.length > 0 };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
    return { uuid: String(error.details['owner']), isNew: false };
  }
}

/** In one append, where the store can. `uuid`: the contact that was claimed, which may have been merged since. */
const claimAndCreate = (
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  companyUuid: CompanyUuid,
  person: Person & { readonly who: string },
  source: ContactSource,
  context: CommandContext,
): Promise<{ readonly uuid: string; readonly found: ResolvedContact }> =>
  app.executor.together(async (executor) => {
    const own = { ...app, executor };
    const { uuid, isNew } = await claimNew(own, companyUuid, person, context);
    const made = { ...context, assumeNew: isNew };
    return { uuid, found: await ensureContact(own, companyUuid, uuid, person, source, made) };
  });

/** Also runs for a known identity: a crash may have come between the claim and the contact, or during a merge. */
async function ensureContact(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  companyUuid: CompanyUuid,
  uuid: string,
  { who, ...person }: Person & { readonly who: string },
  source: ContactSource,
  context: CommandContext,
): Promise<ResolvedContact> {
  const subject = subjectOf(app.indexSecret, companyUuid, who);
  const { state, events } = await app.executor.execute(
    contactAggregate,
    uuid,
    { type: 'CreateContact', companyUuid, source, subject, ...person },
    { ...context, commandId: `${context.commandId}/contact`, subject },
  );
  if (state.mergedInto === null) {
    const found = { uuid, subject: state.subject, contact: state };
    return context.assumeNew === true && events.length > 0 ? { ...found, isNew: true } : found;
  }
  const survivor = await primaryContactAfterMerge(app, uuid, context);
  return { uuid: survivor.uuid, subject: survivor.contact.subject, contact: survivor.contact };
}

/** False when another contact owns it; the caller must then resolve again. `who`: a phone key or a WhatsApp user id. */
export async function claimPerson(
  app: Pick<App, 'executor' | 'indexSecret'>,
  companyUuid: CompanyUuid,
  { kind, who }: { readonly kind: 'phone' | 'wa_user_id'; readonly who: string },
  owner: string,
  context: CommandContext,
): Promise<boolean> {
  try {
    await app.executor.execute(
      identityAggregate,
      personIdentity(app.indexSecret, companyUuid, who),
      { type: 'ClaimIdentity', kind, owner },
      { ...context, commandId: `${context.commandId}/claim/${kind}`, subject: null },
    );
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
    return false;
  }
}

async function learn(
  app: Pick<App, 'executor'>,
  resolved: ResolvedContact,
  { phone, phoneKey, waUserId }: Person,
  source: ContactSource,
  context: CommandContext,
): Promise<ResolvedContact> {
  const revive = source !== 'send' && source !== 'inbound';
  const commands: ContactCommand[] = [];
  if (phone !== null && phoneKey !== null && resolved.contact.phone === null) {
    commands.push({ type: 'LearnPhone', source, phone, phoneKey, revive });
  }
  if (waUserId !== null && !resolved.contact.userIds.includes(waUserId)) {
    commands.push({ type: 'LearnUserId', waUserId });
  }
  let { contact } = resolved;
  for (const command of commands) {
    const { state } = await app.executor.execute(contactAggregate, resolved.uuid, command, {
      ...context,
      commandId: `${context.commandId}/${command.type}`,
      subject: resolved.subject,
    });
    contact = state;
  }
  return { ...resolved, contact };
}

/**
 * Links a contact to the identifier by which an integration knows it. A linked contact keeps its identifier: replacing
 * it is a contact write, which only PUT does (spec §4).
 * @throws Refusal `external_contact_conflict` when that identifier belongs to another contact (spec §4, Messages)
 */
export async function linkExternalId(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  integrationUuid: string,
  externalId: string,
  contact: ResolvedContact,
  context: CommandContext,
): Promise<void> {
  const identity = externalIdentity(app.indexSecret, integrationUuid, externalId);
  if ((entryOf(contact.contact.links, integrationUuid) ?? externalId) !== externalId) {
    const { owner } = (await app.executor.load(identityAggregate, identity)).state;
    if (owner === null || owner === contact.uuid) return;
  }
  try {
    await app.executor.execute(
      identityAggregate,
      identity,
      { type: 'ClaimIdentity', kind: 'external_id', owner: contact.uuid },
      { ...context, commandId: `${context.commandId}/external`, subject: null },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
    const owner = await primaryContactAfterMerge(app, String(error.details['owner']), context);
    if (owner.uuid === contact.uuid) return;
    throw new Refusal(
      'external_contact_conflict',
      'This external_id is already linked to a contact with a different phone. Repoint it with PUT /contacts/external/{external_id}.',
      { external_id: externalId, contact_uuid: owner.uuid },
    );
  }
  await app.executor.execute(
    contactAggregate,
    contact.uuid,
    { type: 'LinkContact', integrationUuid, externalId },
    { ...context, commandId: `${context.commandId}/link`, subject: contact.subject },
  );
}
