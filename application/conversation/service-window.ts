/**
 * WhatsApp's customer service window: for 24 hours after the customer's last message, any message may be sent; outside
 * the window only templates.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages
 *
 * Opened by the customer's own messages of any type except reactions. Not opened by edits, deletions, statuses,
 * messages that the business wrote in the WhatsApp Business app, or an imported history.
 */
import { conversationAggregate, conversationId } from '../../domain/conversation/decide.js';
import type { ChannelUuid, ContactUuid } from '../../domain/kernel/ids.js';
import { conversations } from '../../read-models/conversations.js';
import type { App } from '../app.js';

export const SERVICE_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * Time of the customer's last message on this channel, from the streams; the read model only hints where to start. ISO
 * 8601, up to a minute before the true time, never after it. Null when there was no message.
 */
export async function lastInboundAt(
  app: Pick<App, 'readModels' | 'executor'>,
  contactUuid: ContactUuid,
  channelUuid: ChannelUuid,
): Promise<string | null> {
  const latest = await app.readModels.find(conversations.name, {
    index: 'by_contact_channel',
    equals: [contactUuid, channelUuid],
    order: 'desc',
    limit: 1,
  });
  let last: string | null = null;
  for (let ordinal = latest.documents[0]?.doc.ordinal ?? 0; ; ordinal += 1) {
    const uuid = conversationId(contactUuid, channelUuid, ordinal);
    const { state } = await app.executor.load(conversationAggregate, uuid);
    if (!state.exists) return last;
    last = state.lastInboundAt ?? last;
  }
}

/** @param now milliseconds since the epoch */
export async function serviceWindowOpen(
  app: Pick<App, 'readModels' | 'executor'>,
  contactUuid: ContactUuid,
  channelUuid: ChannelUuid,
  now: number,
): Promise<boolean> {
  const last = await lastInboundAt(app, contactUuid, channelUuid);
  return last !== null && now < Date.parse(last) + SERVICE_WINDOW_MS;
}
