import type { IntakeEvent } from '../../domain/intake/events.js';
import { intakeStream } from '../../domain/intake/stream.js';
import { defineProjection } from '../projection.js';

export type ParkedUpdateDoc = {
  readonly id: string;
  /** The webhook it came in, as an intake stream id. */
  readonly webhook_uuid: string;
  readonly index: number;
  readonly kind: string;
  readonly reason: string;
  readonly parked_at: string;
  readonly shelf: 'all';
};

type Handled = Extract<IntakeEvent, { type: 'ProviderUpdateParked' }>;

export const parkedUpdates = defineProjection<ParkedUpdateDoc, Handled>({
  name: 'parked_updates',
  version: 1,
  indexes: { all: ['shelf', 'parked_at'] },
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
