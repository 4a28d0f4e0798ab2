/**
 * A person's own pace after a take-over: folded from what was sent to them in the last minutes, as the history shows it.
 * A debt of the pace lasts no longer than its burst, so nobody has to remember it.
 */
import type { App } from '../../application/app.js';
import { findRecipient } from '../../application/send/ledgers.js';
import { conversationId } from '../../domain/conversation/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { advance, RECIPIENT_PACE } from '../../domain/policies/gcra.js';
import { phoneKey } from '../../domain/policies/phone.js';

/** How long anything sent before can still matter, milliseconds. */
export const RECIPIENT_DEBT_MS = RECIPIENT_PACE.intervalMs * RECIPIENT_PACE.burst;

interface SentMessage {
  readonly direction: string;
  readonly provider_message_id: string | null;
  readonly created_at: string;
}

/** Theoretical arrival time of the next message to the recipient of an operation, milliseconds; 0 when there is none. */
export async function recipientTat(app: App, operationUuid: string, now: number): Promise<number> {
  const { accepted } = (await app.executor.load(operationAggregate, operationUuid)).state;
  if (accepted === null || accepted.phone === null) return 0;
  const { uuid } = await findRecipient(app, accepted.company_uuid, phoneKey(accepted.phone));
  if (uuid === null) return 0;
  const latest = await app.readModels.find<{ ordinal: number }>('conversations', {
    index: 'by_contact_channel',
    equals: [uuid, accepted.channel_uuid],
    order: 'desc',
    limit: 1,
  });
  const [conversation] = latest.documents;
  if (!conversation) return 0;
  const { documents } = await app.readModels.find<SentMessage>('messages', {
    index: 'by_conversation',
    equals: [conversationId(uuid, accepted.channel_uuid, conversation.doc.ordinal)],
    order: 'desc',
    limit: 2 * RECIPIENT_PACE.burst,
  });
  return documents
    .filter(({ doc }) => doc.direction === 'outbound' && doc.provider_message_id !== null)
    .map(({ doc }) => Date.parse(doc.created_at))
    .filter((at) => at > now - RECIPIENT_DEBT_MS)
    .reverse()
    .reduce((tat, at) => advance(tat, at, RECIPIENT_PACE), 0);
}
