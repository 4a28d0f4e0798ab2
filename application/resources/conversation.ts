/** Conversation and its detail view as the contract shows them (spec §2). */
import { presentChannel, type ChannelSource } from './channel.js';
import { presentContact, type ContactSource } from './contact.js';

/** What is read of a `conversations` document. */
export interface ConversationSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly contact_uuid: string;
  readonly status: 'open' | 'pending' | 'resolved';
  readonly unread_count: number;
  readonly counters: {
    readonly messages: number;
    readonly inbound: number;
    readonly outbound: number;
    readonly notes: number;
  };
  readonly last_message_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** @param integrationUuid see presentContact */
export function presentConversation(
  conversation: ConversationSource,
  contact: ContactSource | undefined,
  integrationUuid: string,
) {
  const { uuid, status, channel_uuid, unread_count, last_message_at, created_at, updated_at } = conversation;
  return {
    uuid,
    status,
    channel_uuid,
    contact: contact ? presentContact(contact, integrationUuid) : null,
    unread_count,
    last_message_at,
    created_at,
    updated_at,
  };
}

export function presentConversationDetail(
  conversation: ConversationSource,
  parts: { readonly contact: ContactSource | undefined; readonly channel: ChannelSource | undefined },
  integrationUuid: string,
) {
  return {
    ...presentConversation(conversation, parts.contact, integrationUuid),
    channel: parts.channel ? presentChannel(parts.channel) : null,
    // Conversations are not assigned to anybody in this release.
    assigned_agent: null,
    assigned_group: null,
    counters: conversation.counters,
  };
}

export type ConversationResource = ReturnType<typeof presentConversation>;
