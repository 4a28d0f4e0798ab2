/**
 * Restores the pace towards one person after a take-over. It is folded from the messages sent to them in the last
 * minutes and from WhatsApp's refusals for the pace, as the history shows both. Neither lasts long, so no process has
 * to store it.
 */
import type { App } from '../../application/app.js';
import { addresseeOf } from '../../application/send/gated-send.js';
import { recipientOf } from '../../application/send/quotas.js';
import { conversationId } from '../../domain/conversation/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { advance, RECIPIENT_PACE, remaining } from '../../domain/policies/gcra.js';
import { LONGEST_PAIR_HOLD_SECONDS } from '../../domain/policies/provider-errors.js';
import { conversations } from '../../read-models/conversations.js';
import { messages, type MessageDoc } from '../../read-models/messages.js';

/** A debt of the pace lasts no longer than its burst, milliseconds. */
const DEBT_MS = RECIPIENT_PACE.intervalMs * RECIPIENT_PACE.burst;
/** How long earlier sends and refusals can still matter, milliseconds. */
export const LONGEST_MATTERING_MS = Math.max(DEBT_MS, LONGEST_PAIR_HOLD_SECONDS * 1000);

/** The theoretical arrival time that lets nothing go before `until`. */
export const tatHeldUntil = (until: number): number =>
  until + (RECIPIENT_PACE.burst - 1) * RECIPIENT_PACE.intervalMs;

type RecentMessage = Pick<MessageDoc, 'direction' | 'provider_message_id' | 'operation_uuid' | 'created_at'>;

/**
 * Theoretical arrival time of the next message to the recipient of an operation, milliseconds; 0 when nothing limits
 * it. Messages that the history dates later than `now`, because the clock was set back since, count as of now.
 */
export async function recipientTat(
  app: Pick<App, 'executor' | 'indexSecret' | 'readModels'>,
  operationUuid: string,
  now: number,
): Promise<number> {
  const { accepted } = (await app.executor.load(operationAggregate, operationUuid)).state;
  const addressee = accepted === null ? null : addresseeOf(accepted);
  if (accepted === null || addressee === null) return 0;
  const { uuid, contact } = await recipientOf(app, accepted.company_uuid, addressee);
  if (uuid === null) return 0;
  const people = [uuid, ...(contact?.absorbed ?? [])];
  const found = await Promise.all(people.map((who) => recentMessages(app, who, accepted.channel_uuid, now)));
  const latest = found.flat().sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  const debt = latest
    .filter(({ provider_message_id }) => provider_message_id !== null)
    .map(({ created_at }) => Math.min(now, Date.parse(created_at)))
    .filter((at) => at > now - DEBT_MS)
    .reduce((tat, at) => advance(tat, at, RECIPIENT_PACE), 0);
  const refused = latest.filter(({ provider_message_id }) => provider_message_id === null);
  const holds = await Promise.all(refused.map((message) => pairHoldMs(app, message, now)));
  const holdMs = Math.max(0, ...holds);
  return holdMs > 0 ? Math.max(debt, tatHeldUntil(now + holdMs)) : debt;
}

/** Messages that the business sent or tried to send in the latest conversation, as far back as they may matter. */
async function recentMessages(
  app: Pick<App, 'readModels'>,
  contactUuid: string,
  channelUuid: string,
  now: number,
): Promise<readonly RecentMessage[]> {
  const latest = await app.readModels.find(conversations.name, {
    index: 'by_contact_channel',
    equals: [contactUuid, channelUuid],
    order: 'desc',
    limit: 1,
  });
  const [conversation] = latest.documents;
  if (!conversation) return [];
  const { documents } = await app.readModels.find(messages.name, {
    index: 'by_conversation',
    equals: [conversationId(contactUuid, channelUuid, conversation.doc.ordinal)],
    order: 'desc',
    limit: 2 * RECIPIENT_PACE.burst,
  });
  return documents
    .map(({ doc }) => doc)
    .filter(
      ({ direction, created_at }) =>
        direction === 'outbound' && Date.parse(created_at) > now - LONGEST_MATTERING_MS,
    );
}

/** How much longer WhatsApp's 131056 about this message holds its recipient back, milliseconds; 0 when it does not. */
async function pairHoldMs(
  app: Pick<App, 'executor'>,
  { operation_uuid: operationUuid, created_at }: RecentMessage,
  now: number,
): Promise<number> {
  if (operationUuid === null) return 0;
  const { state } = await app.executor.load(operationAggregate, operationUuid);
  if (state.pairHeldUntil === null) return 0;
  return remaining({ since: Date.parse(created_at), until: Date.parse(state.pairHeldUntil) }, now);
}
