/** The Business app's address book: names for people, and contacts for people not known yet. */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import type { ProviderAddressBookUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { resolvePerson } from '../sender.js';

/** A removed entry stays a contact here, because its conversations remain. */
export async function applyAddressBook(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  channel: ChannelRef,
  { action, waId, name }: ProviderAddressBookUpdate,
  context: CommandContext,
): Promise<Applied> {
  if (action === 'add') await resolvePerson(app, channel, { waId, userId: null, name }, context, 'import');
  return 'ok';
}
