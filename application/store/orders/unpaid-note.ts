/** A note in the conversation, for the team: the system cancelled an order. Nobody else sees it (spec §2). */
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { UNPAID, type Order } from '../../../domain/order/state.js';
import { storeAggregate } from '../../../domain/store/decide.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { primaryContactOf } from '../../people/primary-contact.js';

const TEXTS = {
  'pt-BR': (code: string) =>
    `Pedido ${code} cancelado: o pagamento não foi registrado a tempo. Os itens voltaram ao estoque.`,
  en: (code: string) =>
    `Order ${code} cancelled: no payment was recorded in time. Its items are back in stock.`,
} as const;

/** Records it once, however often it is called. Does nothing without a conversation, or when the buyer was erased. */
export async function recordUnpaidNote(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  { placed, status, cancelReason }: Order,
  context: CommandContext,
): Promise<void> {
  if (placed === null || status !== 'cancelado' || cancelReason !== UNPAID) return;
  const { conversation_uuid, contact_uuid, company_uuid, store_uuid, number } = placed;
  if (conversation_uuid === null || contact_uuid === null) return;
  const { contact } = await primaryContactOf(app, contact_uuid);
  if (contact.erased) return;
  const { state: conversation } = await app.executor.load(conversationAggregate, conversation_uuid);
  const { state: store } = await app.executor.load(storeAggregate, store_uuid);
  const text = TEXTS[store.locale === 'en' ? 'en' : 'pt-BR'](`#${number}`);
  await app.executor.execute(
    messageAggregate,
    deriveId('message', 'store-order-unpaid', orderUuid),
    {
      type: 'WriteNote',
      data: {
        company_uuid,
        channel_uuid: conversation.channelUuid,
        conversation_uuid,
        contact_uuid,
        content: { text, agent_uuid: null },
      },
    },
    { ...context, commandId: `${context.commandId}/unpaid-note/${orderUuid}`, subject: contact.subject },
  );
}
