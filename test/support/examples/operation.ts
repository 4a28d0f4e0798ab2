import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { AttemptOutcome, OperationCommand } from '../../../domain/operation/decide.js';
import type { OperationEvent } from '../../../domain/operation/events.js';

export const operationEventExamples = {
  accepted: {
    type: 'SendAccepted',
    data: {
      company_uuid: exampleIds.company,
      integration_uuid: exampleIds.integration,
      execution_uuid: null,
      channel_uuid: exampleIds.channel,
      contact_uuid: null,
      subject: exampleIds.subject,
      fingerprint: 'f'.repeat(64),
      phone: '+553188887777',
      external_id: 'customer-42',
      message_type: 'template',
      content: { name: 'pedido_saiu', language: 'pt_BR', parameters: ['Beatriz', '881'] },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Beatriz' },
            { type: 'text', text: '881' },
          ],
        },
      ],
      text: 'Olá Beatriz, seu pedido 881 saiu para entrega.',
      metadata: { order_id: '881' },
      template_uuid: exampleIds.template,
      template_category: 'UTILITY',
      deadline: '2026-03-02T12:15:00.000Z',
    },
  },
  acceptedOfFlow: {
    type: 'SendAccepted',
    data: {
      company_uuid: exampleIds.company,
      integration_uuid: null,
      execution_uuid: exampleIds.execution,
      channel_uuid: exampleIds.channel,
      contact_uuid: exampleIds.contact,
      subject: exampleIds.subject,
      fingerprint: 'e'.repeat(64),
      phone: null,
      external_id: null,
      message_type: 'interactive',
      content: {
        kind: 'buttons',
        text: 'Posso ajudar?',
        buttons: [
          { id: 'yes', title: 'Sim' },
          { id: 'no', title: 'Não' },
        ],
      },
      components: [],
      text: 'Posso ajudar?',
      template_uuid: null,
      template_category: null,
      deadline: '2026-03-02T12:15:00.000Z',
    },
  },
  deferred: {
    type: 'SendDeferred',
    data: { reason: 'channel_pace', until: '2026-03-02T12:00:02.000Z' },
  },
  attempted: {
    type: 'SendAttempted',
    data: {
      attempt: 1,
      channel_uuid: exampleIds.channel,
      subject: exampleIds.subject,
      channel_interval_ms: 16.67,
      contact_uuid: exampleIds.contact,
      conversation_uuid: exampleIds.conversation,
      message_uuid: exampleIds.message,
    },
  },
  postponed: {
    type: 'SendPostponed',
    data: {
      attempt: 1,
      reason: 'throughput_reached',
      provider_code: 130429,
      retry_at: '2026-03-02T12:00:04.000Z',
    },
  },
  outcomeUnknown: {
    type: 'SendOutcomeUnknown',
    data: { attempt: 1, reason: 'timeout', reconcile_until: '2026-03-02T13:00:00.000Z' },
  },
  succeeded: {
    type: 'SendSucceeded',
    data: {
      execution_uuid: null,
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAERgSQzI4RjA5',
      status: 'sent',
      evidence: 'answer',
    },
  },
  failed: {
    type: 'SendFailed',
    data: {
      execution_uuid: null,
      code: 'recipient_unreachable',
      message: 'The recipient cannot be reached on WhatsApp.',
      details: { provider: { code: 131026, title: 'Message undeliverable', trace_id: null } },
    },
  },
  held: { type: 'SendHeld', data: {} },
  released: { type: 'SendReleased', data: { deadline: '2026-03-02T14:15:00.000Z' } },
  flowAccepted: {
    type: 'FlowExecutionAccepted',
    data: {
      company_uuid: exampleIds.company,
      integration_uuid: exampleIds.integration,
      flow_uuid: deriveId('example', 'flow'),
      flow_version: 3,
      channel_uuid: exampleIds.channel,
      contact_uuid: exampleIds.contact,
      subject: exampleIds.subject,
      fingerprint: 'e'.repeat(64),
      external_id: 'customer-42',
      variables: { utm_source: 'catalogo-de-natal' },
    },
  },
} satisfies EventExamples<OperationEvent>;

export const outcomeExamples = {
  accepted: {
    kind: 'accepted',
    providerMessageId: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAERgSQzI4RjA5',
    held: false,
  },
  postponed: {
    kind: 'postponed',
    reason: 'throughput_reached',
    providerCode: 130429,
    retryAt: '2026-03-02T12:00:04.000Z',
  },
  failed: {
    kind: 'failed',
    code: 'recipient_unreachable',
    message: 'The recipient cannot be reached on WhatsApp.',
    details: { provider: { code: 131026, title: 'Message undeliverable', trace_id: null } },
  },
  unknown: { kind: 'unknown', reason: 'timeout', reconcileUntil: '2026-03-02T13:00:00.000Z' },
} satisfies Record<AttemptOutcome['kind'], AttemptOutcome>;

const { accepted, attempted, outcomeUnknown, held } = operationEventExamples;

export const operationCommandExamples = {
  accept: { given: [], command: { type: 'AcceptSend', data: accepted.data } },
  defer: {
    given: [accepted],
    command: { type: 'DeferSend', reason: 'channel_pace', until: '2026-03-02T12:00:02.000Z' },
  },
  beginAttempt: {
    given: [accepted],
    command: {
      type: 'BeginAttempt',
      contactUuid: exampleIds.contact,
      conversationUuid: exampleIds.conversation,
      messageUuid: exampleIds.message,
      channelIntervalMs: 16.67,
    },
  },
  expire: {
    given: [{ ...accepted, data: { ...accepted.data, deadline: '2026-03-02T11:59:59.999Z' } }],
    command: { type: 'ExpireSend', reason: 'channel_pace' },
  },
  recordAccepted: {
    given: [accepted, attempted],
    command: { type: 'RecordOutcome', attempt: 1, outcome: outcomeExamples.accepted },
  },
  recordPostponed: {
    given: [accepted, attempted],
    command: { type: 'RecordOutcome', attempt: 1, outcome: outcomeExamples.postponed },
  },
  recordFailed: {
    given: [accepted, attempted],
    command: { type: 'RecordOutcome', attempt: 1, outcome: outcomeExamples.failed },
  },
  recordUnknown: {
    given: [accepted, attempted],
    command: { type: 'RecordOutcome', attempt: 1, outcome: outcomeExamples.unknown },
  },
  settleByStatus: {
    given: [accepted, attempted, outcomeUnknown],
    command: {
      type: 'SettleByStatus',
      providerMessageId: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAERgSQzI4RjA5',
      status: 'delivered',
    },
  },
  giveUpReconciling: {
    given: [accepted, attempted, outcomeUnknown],
    command: { type: 'GiveUpReconciling', attempt: 1 },
  },
  fail: {
    given: [accepted],
    command: {
      type: 'FailSend',
      code: 'channel_not_connected',
      message: 'The channel is not connected.',
      details: {},
    },
  },
  hold: { given: [accepted], command: { type: 'HoldSend' } },
  release: {
    given: [accepted, held],
    command: { type: 'ReleaseSend', deadline: '2026-03-02T14:15:00.000Z' },
  },
  endHeld: { given: [accepted, held], command: { type: 'EndHeldSend' } },
  acceptFlow: {
    given: [],
    command: { type: 'AcceptFlow', data: operationEventExamples.flowAccepted.data },
  },
} satisfies CommandExamples<OperationEvent, OperationCommand>;
