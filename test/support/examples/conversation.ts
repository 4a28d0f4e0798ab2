import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { ConversationCommand } from '../../../domain/conversation/decide.js';
import type { ConversationEvent } from '../../../domain/conversation/events.js';

export const conversationEventExamples = {
  opened: {
    type: 'ConversationOpened',
    data: {
      company_uuid: exampleIds.company,
      channel_uuid: exampleIds.channel,
      contact_uuid: exampleIds.contact,
      ordinal: 0,
      opened_by: 'inbound',
    },
  },
  resolved: { type: 'ConversationResolved', data: { at: '2026-03-01T12:00:00.000Z' } },
  reopened: { type: 'ConversationReopened', data: { by: 'inbound' } },
  pending: { type: 'ConversationMarkedPending', data: {} },
  assigned: {
    type: 'ConversationAssigned',
    data: { agent_uuid: deriveId('example', 'team member'), group_uuid: null },
  },
  read: { type: 'ConversationRead', data: {} },
  takenByFlow: {
    type: 'ConversationTakenByFlow',
    data: { execution_uuid: exampleIds.execution, replaced_uuid: null },
  },
  flowQueued: {
    type: 'ConversationFlowQueued',
    data: { execution_uuid: deriveId('example', 'execution 2') },
  },
  leftByFlow: {
    type: 'ConversationLeftByFlow',
    data: { execution_uuid: exampleIds.execution },
  },
  handedOff: {
    type: 'ConversationHandedOff',
    data: { execution_uuid: exampleIds.execution, by: 'handoff' },
  },
  customerWrote: { type: 'CustomerWrote', data: { at: '2026-03-02T11:59:58.000Z' } },
} satisfies EventExamples<ConversationEvent>;

const { opened, resolved, pending, assigned, takenByFlow } = conversationEventExamples;

const admit = {
  type: 'AdmitMessage',
  by: 'inbound',
  companyUuid: exampleIds.company,
  channelUuid: exampleIds.channel,
  contactUuid: exampleIds.contact,
  ordinal: 0,
} satisfies ConversationCommand;

export const conversationCommandExamples = {
  admitFirst: { given: [], command: admit },
  admitOnResolved: { given: [opened, resolved], command: admit },
  noteInbound: {
    given: [opened],
    command: { type: 'NoteInbound', at: '2026-03-02T11:59:58.000Z' },
  },
  resolve: { given: [opened], command: { type: 'ResolveConversation' } },
  reopen: { given: [opened, resolved], command: { type: 'ReopenConversation' } },
  markPending: { given: [opened], command: { type: 'MarkConversationPending' } },
  admitOnPending: { given: [opened, pending], command: admit },
  assign: {
    given: [opened],
    command: { type: 'AssignConversation', agentUuid: assigned.data.agent_uuid },
  },
  take: {
    given: [opened],
    command: {
      type: 'TakeByFlow',
      executionUuid: takenByFlow.data.execution_uuid,
      ifRunning: 'replace',
    },
  },
  queue: {
    given: [opened, takenByFlow],
    command: {
      type: 'TakeByFlow',
      executionUuid: deriveId('example', 'execution 2'),
      ifRunning: 'wait',
    },
  },
  leave: {
    given: [opened, takenByFlow],
    command: { type: 'LeaveByFlow', executionUuid: takenByFlow.data.execution_uuid },
  },
  handOff: {
    given: [opened, takenByFlow],
    command: {
      type: 'HandOffToPeople',
      executionUuid: takenByFlow.data.execution_uuid,
      by: 'handoff',
    },
  },
  takeOver: {
    given: [opened, takenByFlow],
    command: { type: 'HandOffToPeople', executionUuid: null, by: 'person' },
  },
  markRead: {
    given: [opened],
    command: { type: 'MarkConversationRead', unread: true },
    notIdempotent:
      'the unread count lives in the read model; the caller says whether there is anything to read',
  },
} satisfies CommandExamples<ConversationEvent, ConversationCommand>;
