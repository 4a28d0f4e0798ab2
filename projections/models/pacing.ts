/**
 * The pacing state that a send worker needs after a restart: how far ahead each channel already is, and its last pace.
 */
import type { OperationEvent } from '../../domain/operation/events.js';
import { channelPacing as collection, type PacingDoc } from '../../read-models/pacing.js';
import { defineProjection } from '../projection.js';

type Handled = Extract<OperationEvent, { type: 'SendAttempted' }>;

export const channelPacing = defineProjection<PacingDoc, Handled>({
  collection,
  handles: ['SendAttempted'],
  documentId: ({ event }) => event.data.channel_uuid,
  evolve: (doc, { event, record }) => {
    const at = Date.parse(record.meta.occurred_at);
    return {
      last_at: at,
      channel_tat: Math.max(at, doc?.channel_tat ?? 0) + event.data.channel_interval_ms,
      interval_ms: event.data.channel_interval_ms,
    };
  },
});
