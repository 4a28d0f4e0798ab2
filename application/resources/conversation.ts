/** Conversation and its detail view as the contract shows them (spec §2). */
import type { ConversationDoc } from '../../read-models/conversations.js';
import type { TeamMemberDoc } from '../../read-models/team.js';
import { presentChannel, type ChannelSource } from './channel.js';
import { presentContact, type ContactSource } from './contact.js';

/** The fields of a `conversations` document used here. */
export type ConversationSource = Omit<
  ConversationDoc,
  'ordinal' | 'unread' | 'last_activity_at' | 'last_inbound_at'
>;

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

/** The fields of a `team` document used here. */
export type AssigneeSource = Pick<TeamMemberDoc, 'uuid' | 'name'>;

/** The related resources in the detail view; undefined where they do not exist. */
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
