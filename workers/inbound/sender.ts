/**
 * Finds the contact of a person in a webhook, identified by a phone, a business-scoped user id, or both. A person who
 * later hides the phone is still found by the user id, and the other way round.
 */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import {
  NOBODY,
  ownersOf,
  resolveContact,
  type ResolvedContact,
} from '../../application/people/resolve-contact.js';
import { primaryContactForData } from '../../application/people/primary-contact.js';
import { contactAggregate } from '../../domain/contact/decide.js';
import { phoneKey } from '../../domain/policies/phone.js';
import type { ChannelRef } from './channels.js';

export interface SeenPerson {
  /** Digits. */
  readonly waId: string | null;
  readonly userId: string | null;
  readonly name: string | null;
}

/** Null when the payload does not identify the person. */
export async function resolvePerson(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  channel: ChannelRef,
  { waId, userId, name }: SeenPerson,
  context: CommandContext,
  source: 'inbound' | 'import' = 'inbound',
): Promise<ResolvedContact | null> {
  if (waId === null && userId === null) return null;
  const company = channel.company_uuid;
  const phone = waId === null ? null : `+${waId}`;
  const key = phone === null ? null : phoneKey(phone);
  const contact = await resolveContact(
    app,
    company,
    { phone, phoneKey: key, waUserId: userId, name },
    source,
    context,
  );
  const learn = { ...context, subject: contact.subject };
  if (name !== null) {
    await app.executor.execute(
      contactAggregate,
      contact.uuid,
      { type: 'LearnProfileName', name },
      { ...learn, commandId: `${context.commandId}/name` },
    );
  }
  if (waId !== null && contact.contact.phone !== phone) {
    await app.executor.execute(
      contactAggregate,
      contact.uuid,
      { type: 'LearnWaId', channelUuid: channel.uuid, waId },
      { ...learn, commandId: `${context.commandId}/wa-id` },
    );
  }
  return contact;
}

/** The existing contact of a person, by user id first; null when neither id is known. */
export async function findPerson(
  app: Pick<App, 'executor' | 'indexSecret'>,
  channel: ChannelRef,
  { waId, userId }: Pick<SeenPerson, 'waId' | 'userId'>,
): Promise<ResolvedContact | null> {
  const company = channel.company_uuid;
  for (const who of [userId, waId === null ? null : phoneKey(waId)]) {
    const { owner, earlier } = who === null ? NOBODY : await ownersOf(app, company, who);
    if (owner !== null) return primaryContactForData(app, owner, [...earlier, owner]);
  }
  return null;
}
