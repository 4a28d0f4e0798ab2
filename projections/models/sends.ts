import { outboundMessageId } from '../../domain/message/decide.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { operationStream } from '../../domain/streams.js';
import { sends as collection, type SendDoc } from '../../read-models/sends.js';
import { defineProjection } from '../projection.js';

type Handled = Extract<OperationEvent, { type: 'SendAccepted' }>;

export const sends = defineProjection<SendDoc, Handled>({
  collection,
  handles: ['SendAccepted'],
  alwaysNew: true,
  documentId: ({ record }) => {
    const operation = operationStream.match(record.stream);
    return operation === undefined ? null : outboundMessageId(operation);
  },
  evolve: (_doc, { event, record }, uuid) => {
    const { company_uuid, subject, content } = event.data;
    const operation_uuid = operationStream.match(record.stream);
    // The recipient was erased: their phone finds nothing any more.
    if (content === null || operation_uuid === undefined) return null;
    return { uuid, operation_uuid, company_uuid, subject, created_at: record.meta.occurred_at };
  },
});
