/** The Business app's address book: names for people, and contacts for those not met yet. */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import type { ProviderAddressBookUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { resolvePerson } from '../sender.js';

/** An entry that is removed there stays a contact here: what was said with it does not go away. */
export async function applyAddressBook(
  app: App,
  channel: ChannelRef,
  { action, waId, name }: ProviderAddressBookUpdate,
  context: CommandContext,
): Promise<Applied> {
  if (action === 'add') await resolvePerson(app, channel, { waId, userId: null, name }, context, 'import');
  return 'ok';
}
