/** A person changed the phone number, or WhatsApp changed the person's user id: the contact stays the same. */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { claimPerson } from '../../../application/people/resolve-contact.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { phoneKey } from '../../../domain/policies/phone.js';
import type { ProviderIdentityUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findPerson } from '../sender.js';
import { recordNotice } from './notice.js';

export async function applyIdentity(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  channel: ChannelRef,
  update: ProviderIdentityUpdate,
  context: CommandContext,
): Promise<Applied> {
  const { waId, userId, previousWaId, previousUserId } = update;
  const contact = await findPerson(app, channel, { waId: previousWaId, userId: previousUserId });
  if (contact === null) return { retry: 'nobody is known who changed their number or user id' };
  const company = channel.company_uuid;
  const free =
    (waId === null ||
      (await claimPerson(app, company, { kind: 'phone', who: phoneKey(waId) }, contact.uuid, context))) &&
    (userId === null ||
      (await claimPerson(app, company, { kind: 'wa_user_id', who: userId }, contact.uuid, context)));
  if (!free) return { park: 'the new number or user id already belongs to another contact' };
  if (waId !== null) {
    await app.executor.execute(
      contactAggregate,
      contact.uuid,
      { type: 'LearnWaId', channelUuid: channel.uuid, waId },
      { ...context, commandId: `${context.commandId}/wa-id`, subject: contact.subject },
    );
  }
  if (userId !== null) {
    await app.executor.execute(
      contactAggregate,
      contact.uuid,
      { type: 'LearnUserId', waUserId: userId },
      { ...context, commandId: `${context.commandId}/user-id`, subject: contact.subject },
    );
  }
  await recordNotice(
    app,
    channel,
    {
      contact,
      kind: waId === null ? 'user_changed_user_id' : 'user_changed_number',
      providerMessageId: update.messageId,
      at: update.at,
    },
    context,
  );
  return 'ok';
}
