import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { flowOperationId, type ExecutionCommand } from '../../../domain/execution/decide.js';
import type { ExecutionEvent } from '../../../domain/execution/events.js';

const executionUuid = exampleIds.execution;

export const executionEventExamples = {
  created: {
    type: 'ExecutionCreated',
    data: {
      company_uuid: exampleIds.company,
      flow_uuid: deriveId('example', 'flow'),
      flow_version: 3,
      if_running: 'replace',
      start: 'question',
      channel_uuid: exampleIds.channel,
      contact_uuid: exampleIds.contact,
      subject: exampleIds.subject,
      trigger: 'api',
      integration_uuid: exampleIds.integration,
      operation_uuid: executionUuid,
      message_uuid: null,
      parent_uuid: null,
      depth: 0,
      depth_without_wait: 0,
      variables: { utm_source: 'catalogo-de-natal' },
    },
  },
  queued: { type: 'ExecutionQueued', data: { behind_uuid: deriveId('example', 'execution 2') } },
  started: { type: 'ExecutionStarted', data: { conversation_uuid: exampleIds.conversation } },
  moved: {
    type: 'ExecutionMoved',
    data: { conversation_uuid: deriveId('example', 'conversation that goes on') },
  },
  sendRequested: {
    type: 'ExecutionSendRequested',
    data: { block: 'question', step: 0, operation_uuid: flowOperationId(executionUuid, 0) },
  },
  requestBegan: {
    type: 'ExecutionRequestBegan',
    data: { block: 'question', step: 0, method: 'POST', host: 'erp.example' },
  },
  waitBegan: {
    type: 'ExecutionWaitBegan',
    data: {
      block: 'question',
      step: 0,
      waits_for: 'answer',
      until: '2026-03-02T14:00:00.000Z',
      operation_uuid: flowOperationId(executionUuid, 0),
      conversation_uuid: exampleIds.conversation,
    },
  },
  stepTaken: {
    type: 'ExecutionStepTaken',
    data: {
      block: 'question',
      step: 1,
      way: 'next',
      to: 'thanks',
      variables: { pedido: '4711' },
      answers: { email: 'rosa.lima@correio.example' },
      set: ['vars.pedido', 'answer.email'],
      message_uuid: exampleIds.message,
      operation_uuid: flowOperationId(executionUuid, 0),
      failure: null,
      failure_message: null,
      failure_details: {},
      waited: true,
    },
  },
  callbackReceived: {
    type: 'ExecutionCallbackReceived',
    data: { block: 'payment', body: { paid_by: 'Rosa Lima' } },
  },
  parked: { type: 'ExecutionParked', data: { block: 'question', reason: 'gave up after 12 tries' } },
  resumed: { type: 'ExecutionResumed', data: {} },
  ended: {
    type: 'ExecutionEnded',
    data: {
      status: 'completed',
      outcome: null,
      block: 'thanks',
      reason: null,
      details: {},
      continued_by: null,
    },
  },
} satisfies EventExamples<ExecutionEvent>;

const { created, started, waitBegan, parked } = executionEventExamples;

export const executionCommandExamples = {
  create: { given: [], command: { type: 'CreateExecution', data: created.data } },
  queue: {
    given: [created],
    command: { type: 'QueueExecution', behindUuid: deriveId('example', 'execution 2') },
  },
  start: {
    given: [created],
    command: { type: 'StartExecution', conversationUuid: exampleIds.conversation },
  },
  move: {
    given: [created, started],
    command: { type: 'MoveExecution', conversationUuid: deriveId('example', 'conversation that goes on') },
  },
  noteSend: {
    given: [created, started],
    command: { type: 'NoteSend', step: 0, operationUuid: flowOperationId(executionUuid, 0) },
  },
  beginRequest: {
    given: [created, started],
    command: { type: 'BeginRequest', step: 0, method: 'POST', host: 'erp.example' },
    refusedAgain: 'request_begun',
  },
  beginWait: {
    given: [created, started],
    command: {
      type: 'BeginWait',
      step: 0,
      waitsFor: 'answer',
      until: null,
      conversationUuid: exampleIds.conversation,
    },
  },
  takeStep: {
    given: [created, started, waitBegan],
    command: {
      type: 'TakeStep',
      step: 1,
      taken: { block: 'question', way: 'next', to: 'thanks', answer: { email: 'rosa.lima@correio.example' } },
      messageUuid: exampleIds.message,
      continuedBy: null,
    },
  },
  receiveCallback: {
    given: [created, started],
    command: { type: 'ReceiveCallback', block: 'payment', body: { paid_by: 'Rosa Lima' } },
  },
  park: {
    given: [created, started],
    command: { type: 'ParkExecution', reason: 'gave up after 12 tries' },
  },
  resume: {
    given: [created, started, parked],
    command: { type: 'ResumeExecution' },
  },
  end: {
    given: [created, started],
    command: { type: 'EndExecution', status: 'cancelled', reason: 'operator' },
  },
} satisfies CommandExamples<ExecutionEvent, ExecutionCommand>;
