import type { MessageStatus } from '../domain/message/status.js';
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

/** The file that the message is about. */
export type MessageMediaDoc = {
  readonly status: 'pending' | 'stored' | 'failed';
  /** Bytes; null until it is stored. */
  readonly size: number | null;
  /** Why it could not be had. */
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type MessageDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly conversation_uuid: string;
  readonly contact_uuid: string;
  readonly operation_uuid: string | null;
  readonly direction: 'inbound' | 'outbound';
  readonly type: string;
  readonly status: MessageStatus;
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string | null;
  readonly provider_message_id: string | null;
  /** The message it answers and whether it was forwarded, as recorded. */
  readonly context: Readonly<Record<string, unknown>> | null;
  /** The ad that brought the customer here. */
  readonly referral: Readonly<Record<string, unknown>> | null;
  /** What it costs, as the provider put it. */
  readonly pricing: Readonly<Record<string, unknown>> | null;
  /** Why it failed. Stays once known, also when the message was delivered after all. */
  readonly error: MessageError | null;
  /** Null when it is about no file, and when it was erased or deleted. */
  readonly media: MessageMediaDoc | null;
  /** What is said in the audio. */
  readonly transcript: string | null;
  readonly edited_at: string | null;
  readonly deleted_at: string | null;
  readonly deleted_by: 'contact' | 'business_app' | null;
  /** By WhatsApp's clock, whole seconds; null for what WhatsApp did not bring here. */
  readonly sent_at: string | null;
  /** Sorts the messages of a conversation, then `position`. */
  readonly ordered_at: string;
  /** Of the event that made the message: messages of the same millisecond stand as they were recorded. */
  readonly position: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export const messages = collection<MessageDoc>()({
  name: 'messages',
  version: 6,
  indexes: {
    by_conversation: ['conversation_uuid', 'ordered_at', 'position'],
    by_recording: ['conversation_uuid', 'position'],
    by_provider_id: ['channel_uuid', 'provider_message_id'],
    by_contact: ['contact_uuid', 'created_at'],
  },
});
