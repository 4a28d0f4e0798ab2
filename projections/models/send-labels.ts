import type { OperationEvent } from '../../domain/operation/events.js';
import { pairHash } from '../../domain/policies/metadata.js';
import { operationStream } from '../../domain/streams.js';
import { sendLabels as collection, type SendLabelsDoc } from '../../read-models/send-labels.js';
import { defineProjection } from '../projection.js';

type Handled = Extract<OperationEvent, { type: 'SendAccepted' }>;

export const sendLabels = defineProjection<SendLabelsDoc, Handled>({
  collection,
  handles: ['SendAccepted'],
  documentId: ({ event, record }) =>
    event.data.template_uuid === null && !event.data.metadata
      ? null
      : (operationStream.match(record.stream) ?? null),
  evolve: (_doc, { event, record }, uuid) => {
    const { company_uuid, content, metadata } = event.data;
    if (content === null) return null;
    const name = content['name'];
    return {
      uuid,
      company_uuid,
      template: event.data.template_uuid !== null && typeof name === 'string' ? name : null,
      pairs: Object.entries(metadata ?? {}).map(([key, value]) => pairHash(key, value)),
      created_at: record.meta.occurred_at,
    };
  },
});
