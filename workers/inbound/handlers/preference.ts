/** WhatsApp's own control to stop or resume marketing (spec §7, recipient_opted_out). */
import type { App } from '../../../application/app.js';
import { optIn, optOut } from '../../../application/contacts/marketing.js';
import type { CommandContext } from '../../../application/execute.js';
import type { ProviderPreferenceUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { resolvePerson } from '../sender.js';
import { happenedAt } from '../happened-at.js';

export async function applyPreference(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  channel: ChannelRef,
  update: ProviderPreferenceUpdate,
  context: CommandContext,
): Promise<Applied> {
  if (update.category !== 'marketing_messages') {
    return { park: `unknown category of preference "${update.category.slice(0, 64)}"` };
  }
  // Also for a person without any messages yet: the preference must be stored before a first send.
  const person = { waId: update.waId, userId: update.userId, name: null };
  const contact = await resolvePerson(app, channel, person, context);
  if (contact === null) return { park: 'the preference names nobody' };
  const ref = { companyUuid: channel.company_uuid, uuid: contact.uuid };
  const at = happenedAt(app, update.at);
  const wish = { source: 'native', at, messageUuid: null } as const;
  const own = { ...context, commandId: `${context.commandId}/preference`, subject: contact.subject };
  await (update.value === 'stop' ? optOut(app, ref, wish, own) : optIn(app, ref, wish, own));
  return 'ok';
}
