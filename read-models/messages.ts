import type {
  ChannelUuid,
  CompanyUuid,
  ContactUuid,
  ConversationUuid,
  OperationUuid,
} from '../domain/kernel/ids.js';
import type { MessageStatus } from '../domain/message/status.js';
import type { Metadata } from '../domain/policies/metadata.js';
import { collection } from './collection.js';

export type MessageError = {
  readonly code: string;
  readonly message: string;
  readonly provider: {
    readonly code: number;
    readonly title: string;
    readonly details: string | null;
  } | null;
};

/** The file attached to the message. */
export type MessageMediaDoc = {
  readonly status: 'pending' | 'stored' | 'failed';
  /** Bytes; null until it is stored. */
  readonly size: number | null;
  /** Why the file could not be fetched. */
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type MessageDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly channel_uuid: ChannelUuid;
  readonly conversation_uuid: ConversationUuid;
  readonly contact_uuid: ContactUuid;
  readonly operation_uuid: OperationUuid | null;
  readonly direction: 'inbound' | 'outbound';
  readonly type: string;
  readonly status: MessageStatus;
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string | null;
  /** The caller's own pairs; absent without any. */
  readonly metadata?: Metadata;
  readonly provider_message_id: string | null;
  /** The message it answers and whether it was forwarded, as recorded. */
  readonly context: Readonly<Record<string, unknown>> | null;
  /** The ad that led the customer to write. */
  readonly referral: Readonly<Record<string, unknown>> | null;
  /** Price information as the provider sent it. */
  readonly pricing: Readonly<Record<string, unknown>> | null;
  /** Why it failed. Once set it stays, even if the message was delivered after all. */
  readonly error: MessageError | null;
  /** Null when the message has no file, and when it was erased or deleted. */
  readonly media: MessageMediaDoc | null;
  /** Spoken text of the audio. */
  readonly transcript: string | null;
  readonly edited_at: string | null;
  readonly deleted_at: string | null;
  readonly deleted_by: 'contact' | 'business_app' | null;
  /** By WhatsApp's clock, whole seconds; null for messages that WhatsApp did not deliver to us. */
  readonly sent_at: string | null;
  /** Sort key of the messages in a conversation; ties are broken by `position`. */
  readonly ordered_at: string;
  /** Position of the event that created the message: messages of the same millisecond keep the order of recording. */
  readonly position: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export const messages = collection<MessageDoc>()({
  name: 'messages',
  version: 7,
  indexes: {
    by_conversation: ['conversation_uuid', 'ordered_at', 'position'],
    by_recording: ['conversation_uuid', 'position'],
    by_provider_id: ['channel_uuid', 'provider_message_id'],
  },
});
