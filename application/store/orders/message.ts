/**
 * The message that shows an order in its conversation: visible to the team, never sent, without a webhook of its own
 * (spec §2).
 */
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import type { Order } from '../../../domain/order/state.js';
import { showMoney } from '../../../domain/policies/money.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { primaryContactOf } from '../../people/primary-contact.js';

export const orderMessageId = (orderUuid: string): string => deriveId('message', 'store-order', orderUuid);

/** Records it once, no matter how often it is called; does nothing for an order without a conversation. */
export async function recordOrderMessage(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  { placed }: Order,
  context: CommandContext,
): Promise<void> {
  if (!placed || placed.conversation_uuid === null || placed.contact_uuid === null) return;
  const { conversation_uuid, contact_uuid, company_uuid, number } = placed;
  const { state: conversation } = await app.executor.load(conversationAggregate, conversation_uuid);
  const { contact } = await primaryContactOf(app, contact_uuid);
  await app.executor.execute(
    messageAggregate,
    orderMessageId(orderUuid),
    {
      type: 'RecordOrder',
      data: {
        company_uuid,
        channel_uuid: conversation.channelUuid,
        conversation_uuid,
        contact_uuid,
        order_uuid: orderUuid,
        content: {
          number,
          code: `#${number}`,
          total: showMoney(placed.total_cents),
          currency: 'BRL',
          items: placed.items.map((item) => ({
            name: item.name,
            variant_name: item.variant_name,
            quantity: item.quantity,
            total: showMoney(item.total_cents),
          })),
        },
      },
    },
    { ...context, commandId: `${context.commandId}/order-message/${orderUuid}`, subject: contact.subject },
  );
}
