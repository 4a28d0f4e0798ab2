import type { Aggregate, DecideContext } from '../kernel/decider.js';
import { deriveId, type ChannelUuid, type CompanyUuid, type ContactUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { conversationStream } from '../streams.js';
import { conversationEvents, type ConversationEvent } from './events.js';
import { evolveConversation, initialConversation, type Conversation } from './state.js';

/** A message to a conversation that was resolved longer ago than this opens a new conversation. */
export const REOPEN_WITHIN_DAYS = 7;

/**
 * A customer who writes several lines in a row leaves one event, so that a stream of years stays short. The service
 * window then starts up to a minute too early, which is the safe side.
 */
const NOTE_EVERY_MS = 60_000;

export type ConversationCommand =
  /** A message arrives or is sent: opens the conversation, reopens it, or leaves it open. */
  | {
      readonly type: 'AdmitMessage';
      readonly by: 'inbound' | 'outbound' | 'history';
      readonly companyUuid: CompanyUuid;
      readonly channelUuid: ChannelUuid;
      readonly contactUuid: ContactUuid;
      readonly ordinal: number;
      /** Refuses where the conversation is resolved: another one may be current. */
      readonly unresolved?: boolean;
    }
  /** `at`: time of the customer message that opens the service window. */
  | { readonly type: 'NoteInbound'; readonly at: string }
  | { readonly type: 'ResolveConversation' }
  /** Reopened by an agent, by a customer message that the flow in charge does not handle, or by a failed flow. */
  | { readonly type: 'ReopenConversation'; readonly by?: 'agent' | 'inbound' | 'flow' }
  | { readonly type: 'MarkConversationPending' }
  /** Fields that are left out stay; null clears. The caller checks that agent and group exist. */
  | {
      readonly type: 'AssignConversation';
      readonly agentUuid?: string | null;
      readonly groupUuid?: string | null;
    }
  | { readonly type: 'MarkConversationRead'; readonly unread: boolean }
  /** `ifRunning`: how to treat another flow that is in charge. */
  | {
      readonly type: 'TakeByFlow';
      readonly executionUuid: string;
      readonly ifRunning: 'replace' | 'wait' | 'skip';
    }
  | { readonly type: 'LeaveByFlow'; readonly executionUuid: string }
  | {
      readonly type: 'HandOffToPeople';
      /** Hands off only while this execution is in charge; null: without this condition. */
      readonly executionUuid: string | null;
      readonly by: 'handoff' | 'asked' | 'person';
    };

/** Id of the n-th conversation of a contact on a channel. Two concurrent openers write to the same stream. */
export function conversationId(contactUuid: ContactUuid, channelUuid: ChannelUuid, ordinal: number): string {
  return deriveId('conversation', contactUuid, channelUuid, ordinal);
}

export function decideConversation(
  command: ConversationCommand,
  state: Conversation,
  context: DecideContext,
): readonly ConversationEvent[] {
  if (command.type === 'AdmitMessage') {
    if (command.unresolved && (!state.exists || state.status === 'resolved')) {
      throw new Refusal('conversation_closed', 'This conversation is resolved.');
    }
    if (!state.exists) {
      const { companyUuid, channelUuid, contactUuid, ordinal, by } = command;
      return [
        {
          type: 'ConversationOpened',
          data: {
            company_uuid: companyUuid,
            channel_uuid: channelUuid,
            contact_uuid: contactUuid,
            ordinal,
            opened_by: by,
          },
        },
      ];
    }
    // An imported message of the past is added to its conversation without reopening it.
    if (command.by === 'history' || state.status === 'open') return [];
    if (state.status === 'pending') {
      // A pending conversation waits for the customer, so outbound messages don't reopen it. Nor does a message to a
      // flow.
      return command.by === 'inbound' && state.execution === null
        ? [{ type: 'ConversationReopened', data: { by: command.by } }]
        : [];
    }
    const age = Date.parse(context.now) - Date.parse(state.resolvedAt ?? context.now);
    if (age > REOPEN_WITHIN_DAYS * 86_400_000) {
      throw new Refusal('conversation_closed', 'This conversation was closed too long ago to be reopened.');
    }
    return [{ type: 'ConversationReopened', data: { by: command.by } }];
  }
  if (!state.exists) {
    throw new Refusal('not_found', 'There is no such conversation.', { resource: 'conversation' });
  }
  switch (command.type) {
    case 'NoteInbound': {
      const at = Math.min(Date.parse(command.at), Date.parse(context.now));
      const known = state.lastInboundAt === null ? -Infinity : Date.parse(state.lastInboundAt);
      if (at < known + NOTE_EVERY_MS) return [];
      return [{ type: 'CustomerWrote', data: { at: new Date(at).toISOString() } }];
    }
    case 'ResolveConversation':
      return state.status === 'resolved' ? [] : [{ type: 'ConversationResolved', data: { at: context.now } }];
    case 'ReopenConversation':
      return state.status === 'open'
        ? []
        : [{ type: 'ConversationReopened', data: { by: command.by ?? 'agent' } }];
    case 'MarkConversationPending':
      return state.status === 'pending' ? [] : [{ type: 'ConversationMarkedPending', data: {} }];
    case 'AssignConversation': {
      const { agentUuid = state.agentUuid, groupUuid = state.groupUuid } = command;
      if (agentUuid === state.agentUuid && groupUuid === state.groupUuid) return [];
      return [{ type: 'ConversationAssigned', data: { agent_uuid: agentUuid, group_uuid: groupUuid } }];
    }
    case 'MarkConversationRead':
      return command.unread ? [{ type: 'ConversationRead', data: {} }] : [];
    case 'TakeByFlow':
      return take(command, state);
    case 'LeaveByFlow': {
      const { executionUuid } = command;
      if (state.execution !== executionUuid && !state.queue.includes(executionUuid)) return [];
      return [{ type: 'ConversationLeftByFlow', data: { execution_uuid: executionUuid } }];
    }
    case 'HandOffToPeople': {
      const { executionUuid, by } = command;
      if (executionUuid === null ? state.withPeople : state.execution !== executionUuid) return [];
      return [{ type: 'ConversationHandedOff', data: { execution_uuid: state.execution, by } }];
    }
    default:
      return command satisfies never;
  }
}

/** @throws Refusal flow_running when another flow is in charge and `ifRunning` is `skip` */
function take(
  { executionUuid, ifRunning }: Extract<ConversationCommand, { type: 'TakeByFlow' }>,
  state: Conversation,
): readonly ConversationEvent[] {
  const { execution, queue } = state;
  if (execution === executionUuid) return [];
  if (execution !== null && ifRunning === 'wait') {
    return queue.includes(executionUuid)
      ? []
      : [{ type: 'ConversationFlowQueued', data: { execution_uuid: executionUuid } }];
  }
  if (execution !== null && ifRunning === 'skip') {
    throw new Refusal(
      'flow_running',
      'Another flow is running in this conversation, and this one is set to be left out then (`if_running`).',
      { execution_uuid: execution },
    );
  }
  return [
    {
      type: 'ConversationTakenByFlow',
      data: { execution_uuid: executionUuid, replaced_uuid: execution },
    },
  ];
}

export const conversationAggregate: Aggregate<
  Conversation,
  ConversationCommand,
  ConversationEvent,
  'conversation'
> = {
  stream: conversationStream,
  events: conversationEvents,
  initial: initialConversation,
  decide: decideConversation,
  evolve: evolveConversation,
};
