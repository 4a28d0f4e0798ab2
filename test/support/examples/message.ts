import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { MessageCommand } from '../../../domain/message/decide.js';
import type { MessageEvent } from '../../../domain/message/events.js';

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
      metadata: { order_id: '881' },
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
  receivedImage: {
    type: 'MessageReceived',
    data: {
      ...place,
      type: 'image',
      content: {
        media_id: '1003383421387256',
        mime_type: 'image/jpeg',
        sha256: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
        caption: 'Esse aqui',
      },
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUSU1BRzAx',
      sent_at: '2026-03-02T11:59:59.000Z',
      context: null,
      referral: null,
    },
  },
  receivedAudio: {
    type: 'MessageReceived',
    data: {
      ...place,
      type: 'audio',
      content: {
        media_id: '1003383421387257',
        mime_type: 'audio/ogg; codecs=opus',
        sha256: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
        voice: true,
      },
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUQVVESTAx',
      sent_at: '2026-03-02T12:00:01.000Z',
      context: null,
      referral: null,
    },
  },
  mediaStored: {
    type: 'MessageMediaStored',
    data: {
      media_id: '1003383421387256',
      kind: 'image',
      blob: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
      key_id: 'key-1',
      size: 20_481,
      mime_type: 'image/jpeg',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  audioStored: {
    type: 'MessageMediaStored',
    data: {
      media_id: '1003383421387257',
      kind: 'audio',
      blob: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c753',
      key_id: 'key-1',
      size: 6_112,
      mime_type: 'audio/ogg',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  mediaFailed: {
    type: 'MessageMediaFailed',
    data: {
      media_id: '1003383421387256',
      code: 'media_expired',
      message: 'WhatsApp no longer has the file.',
    },
  },
  mediaRequested: { type: 'MessageMediaRequested', data: { media_id: '1003383421387256' } },
  transcribed: {
    type: 'MessageTranscribed',
    data: { media_id: '1003383421387257', transcript: 'Oi, o pedido já saiu?', model: 'whisper-1' },
  },
  echoed: {
    type: 'MessageEchoed',
    data: {
      ...place,
      type: 'text',
      content: { text: 'Tem, acabou de sair do forno.' },
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAERgSRUNITzAx',
      sent_at: '2026-03-02T12:01:00.000Z',
      context: null,
    },
  },
  imported: {
    type: 'MessageImported',
    data: {
      ...place,
      direction: 'inbound',
      type: 'text',
      content: { text: 'Vocês abrem domingo?' },
      status: 'received',
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUSElTVDAx',
      sent_at: '2025-12-20T09:00:00.000Z',
      context: null,
    },
  },
  placeholderImported: {
    type: 'MessageImported',
    data: {
      ...place,
      direction: 'outbound',
      type: 'unsupported',
      content: { kind: 'media_placeholder' },
      status: 'read',
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUSElTVDAy',
      sent_at: '2025-12-20T09:01:00.000Z',
      context: null,
    },
  },
  mediaImported: {
    type: 'MessageMediaImported',
    data: {
      type: 'image',
      content: {
        media_id: '24230790383178626',
        mime_type: 'image/jpeg',
        sha256: null,
        caption: 'O cardápio',
      },
    },
  },
  edited: {
    type: 'MessageEdited',
    data: {
      by: 'contact',
      at: '2026-03-02T12:02:00.000Z',
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgURURJVDAx',
      content: { text: 'Ainda tem sonho de creme?' },
    },
  },
  editKept: {
    type: 'MessageEditKept',
    data: {
      by: 'contact',
      at: '2026-03-02T12:02:00.000Z',
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgURURJVDAx',
      content: { text: 'Ainda tem sonho de creme?' },
    },
  },
  deletionKept: {
    type: 'MessageDeletionKept',
    data: {
      by: 'contact',
      at: '2026-03-02T12:03:00.000Z',
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUREVMMDAx',
    },
  },
  deleted: {
    type: 'MessageDeleted',
    data: {
      by: 'contact',
      at: '2026-03-02T12:03:00.000Z',
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUREVMMDAx',
    },
  },
  noted: {
    type: 'NoteWritten',
    data: { ...place, content: { text: 'Prefere pão sem glúten.', agent_uuid: null } },
  },
  noticed: {
    type: 'SystemNoticeRecorded',
    data: {
      company_uuid: exampleIds.company,
      channel_uuid: exampleIds.channel,
      conversation_uuid: exampleIds.conversation,
      contact_uuid: exampleIds.contact,
      kind: 'message_edited',
      provider_message_id: 'wamid.HBgMNTUzMTg4ODg3Nzc3FQIAEhgUTk9URTAx',
      at: '2026-03-02T12:04:00.000Z',
    },
  },
  ordered: {
    type: 'StoreOrderRecorded',
    data: {
      ...place,
      order_uuid: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3005',
      content: {
        number: 1001,
        code: '#1001',
        total: '111.80',
        currency: 'BRL',
        items: [{ name: 'Camiseta Azul', variant_name: 'P / Azul', quantity: 2, total: '99.80' }],
      },
    },
  },
} satisfies EventExamples<MessageEvent>;

const { queued, received } = messageEventExamples;

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
  echo: { given: [], command: { type: 'EchoMessage', data: messageEventExamples.echoed.data } },
  import: { given: [], command: { type: 'ImportMessage', data: messageEventExamples.imported.data } },
  importMedia: {
    given: [messageEventExamples.placeholderImported],
    command: {
      type: 'ImportMessage',
      data: { ...messageEventExamples.placeholderImported.data, ...messageEventExamples.mediaImported.data },
    },
  },
  edit: { given: [received], command: { type: 'EditMessage', data: messageEventExamples.edited.data } },
  delete: { given: [received], command: { type: 'DeleteMessage', data: messageEventExamples.deleted.data } },
  editAhead: { given: [], command: { type: 'EditMessage', data: messageEventExamples.edited.data } },
  deleteAhead: { given: [], command: { type: 'DeleteMessage', data: messageEventExamples.deleted.data } },
  receiveEdited: {
    given: [messageEventExamples.editKept],
    command: { type: 'ReceiveMessage', data: messageEventExamples.received.data },
  },
  receiveDeleted: {
    given: [messageEventExamples.editKept, messageEventExamples.deletionKept],
    command: { type: 'ReceiveMessage', data: messageEventExamples.received.data },
  },
  storeMedia: {
    given: [messageEventExamples.receivedImage],
    command: { type: 'StoreMedia', data: messageEventExamples.mediaStored.data },
  },
  failMedia: {
    given: [messageEventExamples.receivedImage],
    command: { type: 'FailMedia', data: messageEventExamples.mediaFailed.data },
  },
  requestMedia: {
    given: [messageEventExamples.receivedImage, messageEventExamples.mediaFailed],
    command: { type: 'RequestMedia' },
  },
  transcribe: {
    given: [messageEventExamples.receivedAudio, messageEventExamples.audioStored],
    command: { type: 'Transcribe', data: messageEventExamples.transcribed.data },
  },
  note: { given: [], command: { type: 'WriteNote', data: messageEventExamples.noted.data } },
  notice: { given: [], command: { type: 'RecordNotice', data: messageEventExamples.noticed.data } },
  order: { given: [], command: { type: 'RecordOrder', data: messageEventExamples.ordered.data } },
} satisfies CommandExamples<MessageEvent, MessageCommand>;
