/** A sent message as the contract shows it: the message, and what its operation knows. */
import type { ContactUuid, ConversationUuid, OperationUuid } from '../../domain/kernel/ids.js';
import type { SendAsAccepted } from '../../domain/operation/state.js';
import type { StoredRecord } from '../../ports/event-store.js';
import type { OperationDoc } from '../../read-models/operations.js';
import type { PresentMedia } from '../media/present-media.js';
import { presentMessage, type MessageSource } from './message.js';

export interface SentMessageSource {
  readonly message: MessageSource;
  readonly operationUuid: OperationUuid;
  /** Null until the first attempt. */
  readonly conversationUuid: ConversationUuid | null;
  readonly contactUuid: ContactUuid | null;
  readonly waiting: OperationDoc['waiting'];
}

/** @param sent `operationUuid` is null for a message that no operation sent, which only its page shows */
export const presentSentMessage = (
  sent: Omit<SentMessageSource, 'operationUuid'> & { readonly operationUuid: OperationUuid | null },
  showMedia: PresentMedia,
) => ({
  message: presentMessage(sent.message, showMedia),
  operation_uuid: sent.operationUuid,
  channel_uuid: sent.message.channel_uuid,
  conversation_uuid: sent.conversationUuid,
  contact_uuid: sent.contactUuid,
  waiting: sent.waiting,
});

/** The message of an operation whose first attempt was not made: it waits, or never will be sent. */
export function operationAsSent({
  operationUuid,
  messageUuid,
  operation,
  accepted,
  at,
}: {
  readonly operationUuid: OperationUuid;
  readonly messageUuid: string;
  readonly operation: OperationDoc;
  readonly accepted: SendAsAccepted;
  readonly at: Pick<StoredRecord, 'position'>;
}): SentMessageSource {
  const { error, created_at, completed_at } = operation;
  return {
    message: {
      uuid: messageUuid,
      company_uuid: accepted.company_uuid,
      channel_uuid: accepted.channel_uuid,
      direction: 'outbound',
      type: accepted.message_type,
      status: operation.status === 'failed' ? 'failed' : 'queued',
      content: accepted.content ?? {},
      text: accepted.text,
      ...(accepted.metadata ? { metadata: accepted.metadata } : {}),
      provider_message_id: null,
      context: null,
      referral: null,
      pricing: null,
      error: error && { code: error.code, message: error.message, provider: null },
      media: null,
      transcript: null,
      edited_at: null,
      deleted_at: null,
      deleted_by: null,
      sent_at: null,
      position: at.position,
      created_at,
      updated_at: completed_at ?? created_at,
    },
    operationUuid,
    conversationUuid: operation.conversation_uuid,
    contactUuid: operation.contact_uuid ?? accepted.contact_uuid,
    waiting: operation.waiting,
  };
}
