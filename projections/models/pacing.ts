/** What a pacing worker needs after a restart: how far ahead each channel and each recipient already is. */
import type { OperationEvent } from '../../domain/operation/events.js';
import { defineProjection } from '../projection.js';

export type PacingDoc = {
  /** Of the last attempt, epoch milliseconds. */
  readonly last_at: number;
  /** Theoretical arrival time of the next message by the channel's pace, epoch milliseconds. */
  readonly channel_tat: number;
};

type Handled = Extract<OperationEvent, { type: 'SendAttempted' }>;

export const channelPacing = defineProjection<PacingDoc, Handled>({
  name: 'channel_pacing',
  version: 1,
  indexes: {},
  handles: ['SendAttempted'],
  documentId: ({ event }) => event.data.channel_uuid,
  evolve: (doc, { event, record }) => {
    const at = Date.parse(record.meta.occurred_at);
    return {
      last_at: at,
      channel_tat: Math.max(at, doc?.channel_tat ?? 0) + event.data.channel_interval_ms,
    };
  },
});
