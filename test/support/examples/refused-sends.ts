import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { RefusedSendsCommand } from '../../../domain/refused-sends/decide.js';
import type { RefusedSendsEvent } from '../../../domain/refused-sends/events.js';

export const refusedSendsEventExamples = {
  refused: {
    type: 'SendRefused',
    data: {
      company_uuid: exampleIds.company,
      integration_uuid: exampleIds.integration,
      request_id: '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b11',
      subject: exampleIds.subject,
      template: 'pedido_saiu',
      code: 'duplicate_template_send',
      message: 'This was sent to the same recipient within the last 24 hours.',
      details: { opens_at: '2026-03-03T12:00:00.000Z', retry_after_seconds: 86_400, window_seconds: 86_400 },
      phone: '+553188887777',
      idempotency_key: 'pedido-881-saiu',
      metadata: { order_id: '881' },
    },
  },
} satisfies EventExamples<RefusedSendsEvent>;

export const refusedSendsCommandExamples = {
  note: { given: [], command: { type: 'NoteRefusal', data: refusedSendsEventExamples.refused.data } },
} satisfies CommandExamples<RefusedSendsEvent, RefusedSendsCommand>;
