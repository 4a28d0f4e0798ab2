import type { RefusedSendsEvent } from '../../domain/refused-sends/events.js';
import { refusedSends as collection, type RefusedSendDoc } from '../../read-models/refused-sends.js';
import { defineProjection } from '../projection.js';

export const refusedSends = defineProjection<RefusedSendDoc, RefusedSendsEvent>({
  collection,
  handles: ['SendRefused'],
  documentId: ({ record }) => record.eventId,
  evolve: (_doc, { event, record }, uuid) => ({
    uuid,
    integration_uuid: event.data.integration_uuid,
    subject: event.data.subject,
    stream: record.stream,
    revision: record.revision,
    refused_at: record.meta.occurred_at,
  }),
});
