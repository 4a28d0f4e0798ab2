import { exampleIds, type CommandExamples, type EventExamples } from '../kernel/examples.js';
import type { MessageCommand } from './decide.js';
import type { MessageEvent } from './events.js';

const place = {
  company_uuid: exampleIds.company,
  channel_uuid: exampleIds.channel,
  conversation_uuid: exampleIds.conversation,
  contact_uuid: exampleIds.contact,
};

const wamid = 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAERgSQzI4RjA5';

const statusReport = {
  at: '2026-03-02T12:00:05.000Z',
  provider_message_id: wamid,
  errors: [],
  pricing: null,
};

export const messageEventExamples = {
  queued: {
    type: 'MessageQueued',
    data: {
      ...place,
      type: 'text',
      content: { text: 'Seu pão está no forno.' },
      operation_uuid: exampleIds.operation,
      text: 'Seu pão está no forno.',
    },
  },
  accepted: { type: 'MessageAccepted', data: { provider_message_id: wamid, held: false } },
  held: { type: 'MessageAccepted', data: { provider_message_id: wamid, held: true } },
  refused: {
    type: 'MessageRefused',
    data: {
      code: 'recipient_unreachable',
      message: 'The recipient cannot be reached on WhatsApp.',
      provider_error: { code: 131026, title: 'Message undeliverable', details: null },
    },
  },
  sent: { type: 'MessageStatusReported', data: { ...statusReport, status: 'sent' } },
  delivered: {
    type: 'MessageStatusReported',
    data: { ...statusReport, status: 'delivered', pricing: { billable: true, category: 'utility' } },
  },
  read: { type: 'MessageStatusReported', data: { ...statusReport, status: 'read' } },
  failed: {
    type: 'MessageStatusReported',
    data: {
      ...statusReport,
      status: 'failed',
      errors: [
        { code: 131049, title: 'Not delivered to maintain healthy ecosystem engagement', details: null },
      ],
    },
  },
  received: {
    type: 'MessageReceived',
    data: {
      ...place,
      type: 'text',
      content: { text: 'Ainda tem sonho?' },
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUM0EwQjE',
      sent_at: '2026-03-02T11:59:58.000Z',
      context: null,
      referral: { source_type: 'ad', source_id: '120208', ctwa_clid: 'ARAkLkA8rmlFeiCktEJQ' },
    },
  },
} satisfies EventExamples<MessageEvent>;

const { queued } = messageEventExamples;

export const messageCommandExamples = {
  queue: { given: [], command: { type: 'QueueMessage', data: queued.data } },
  receive: {
    given: [],
    command: { type: 'ReceiveMessage', data: messageEventExamples.received.data },
  },
  accept: { given: [queued], command: { type: 'AcceptMessage', data: messageEventExamples.accepted.data } },
  refuse: { given: [queued], command: { type: 'RefuseMessage', data: messageEventExamples.refused.data } },
  reportDelivered: {
    given: [queued, messageEventExamples.accepted],
    command: { type: 'ReportStatus', data: messageEventExamples.delivered.data },
  },
  reportFailureAfterDelivery: {
    given: [queued, messageEventExamples.accepted, messageEventExamples.delivered],
    command: { type: 'ReportStatus', data: messageEventExamples.failed.data },
  },
} satisfies CommandExamples<MessageEvent, MessageCommand>;
