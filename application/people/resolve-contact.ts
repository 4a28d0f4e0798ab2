/**
 * Finds or makes the contact behind a phone or a WhatsApp user id. Two racing callers end with the same contact:
 * the first claim on the identity wins, and the contact's uuid derives from it.
 */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { Contact } from '../../domain/contact/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { externalIdentity, personIdentity, subjectOf } from './subject.js';

export interface Person {
  readonly phone: string | null;
  readonly phoneKey: string | null;
  readonly waUserId: string | null;
  readonly name: string | null;
}

export interface ResolvedContact {
  readonly uuid: string;
  readonly subject: string;
  readonly contact: Contact;
}

export async function resolveContact(
  app: App,
  companyUuid: string,
  person: Person,
  source: 'send' | 'inbound',
  context: CommandContext,
): Promise<ResolvedContact> {
  const who = person.phoneKey ?? person.waUserId;
  if (who === null) throw new Refusal('validation_failed', 'A contact needs a phone or a WhatsApp user id.');
  const identity = personIdentity(app.indexSecret, companyUuid, who);
  const known = await app.executor.load(identityAggregate, identity);
  let uuid = known.state.owner;
  if (uuid === null) {
    uuid = deriveId('contact', identity);
    try {
      await app.executor.execute(
        identityAggregate,
        identity,
        { type: 'ClaimIdentity', kind: person.phoneKey === null ? 'wa_user_id' : 'phone', owner: uuid },
        { ...context, commandId: `${context.commandId}/claim`, subject: null },
      );
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
      uuid = error.details['owner'] as string;
    }
  }
  const subject = subjectOf(app.indexSecret, companyUuid, who);
  // Also when the identity was known: a crash may have come between the claim and the contact.
  const { state } = await app.executor.execute(
    contactAggregate,
    uuid,
    { type: 'CreateContact', companyUuid, source, subject, ...person },
    { ...context, commandId: `${context.commandId}/contact`, subject },
  );
  return { uuid, subject: state.subject, contact: state };
}

/**
 * Links a contact to the identifier an integration knows it by.
 * @throws Refusal `external_contact_conflict` when that identifier belongs to another contact (spec §4, Messages)
 */
export async function linkExternalId(
  app: App,
  integrationUuid: string,
  externalId: string,
  contact: ResolvedContact,
  context: CommandContext,
): Promise<void> {
  const identity = externalIdentity(app.indexSecret, integrationUuid, externalId);
  try {
    await app.executor.execute(
      identityAggregate,
      identity,
      { type: 'ClaimIdentity', kind: 'external_id', owner: contact.uuid },
      { ...context, commandId: `${context.commandId}/external`, subject: null },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
    throw new Refusal(
      'external_contact_conflict',
      'This external_id is already linked to a contact with a different phone. Repoint it with PUT /contacts/external/{external_id}.',
      { external_id: externalId, contact_uuid: error.details['owner'] },
    );
  }
  await app.executor.execute(
    contactAggregate,
    contact.uuid,
    { type: 'LinkContact', integrationUuid, externalId },
    { ...context, commandId: `${context.commandId}/link`, subject: contact.subject },
  );
}
