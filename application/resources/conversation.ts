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
  readonly assigned_agent_uuid: string | null;
  readonly assigned_group_uuid: string | null;
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

/** What is read of a `team` document. */
export interface AssigneeSource {
  readonly uuid: string;
  /** Null when it was erased. */
  readonly name: string | null;
}

/** What the detail shows beside the conversation itself; undefined where there is none. */
export interface ConversationParts {
  readonly contact: ContactSource | undefined;
  readonly channel: ChannelSource | undefined;
  readonly agent: AssigneeSource | undefined;
  readonly group: AssigneeSource | undefined;
}

const presentAssignee = (assignee: AssigneeSource | undefined) =>
  assignee ? { uuid: assignee.uuid, name: assignee.name ?? '' } : null;

export function presentConversationDetail(
  conversation: ConversationSource,
  parts: ConversationParts,
  integrationUuid: string,
  now: number,
) {
  return {
    ...presentConversation(conversation, parts.contact, integrationUuid),
    channel: parts.channel ? presentChannel(parts.channel, now) : null,
    assigned_agent: presentAssignee(parts.agent),
    assigned_group: presentAssignee(parts.group),
    counters: conversation.counters,
  };
}

export type ConversationResource = ReturnType<typeof presentConversation>;
