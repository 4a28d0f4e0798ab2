import type { IntakeEvent } from '../../domain/intake/events.js';
import { intakeStream } from '../../domain/streams.js';
import { parkedUpdates as collection, type ParkedUpdateDoc } from '../../read-models/parked-updates.js';
import { defineProjection } from '../projection.js';

type Handled = Extract<IntakeEvent, { type: 'ProviderUpdateParked' }>;

export const parkedUpdates = defineProjection<ParkedUpdateDoc, Handled>({
  collection,
  handles: ['ProviderUpdateParked'],
  documentId: ({ record }) => record.eventId,
  evolve: (_doc, { event, record }) => ({
    id: record.eventId,
    webhook_uuid: intakeStream.match(record.stream) ?? '',
    index: event.data.index,
    kind: event.data.kind,
    reason: event.data.reason,
    parked_at: record.meta.occurred_at,
    shelf: 'all',
  }),
});
