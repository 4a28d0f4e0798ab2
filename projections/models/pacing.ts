/** What a pacing worker needs after a restart: how far ahead each channel already is, and at which pace it was sending. */
import type { OperationEvent } from '../../domain/operation/events.js';
import { defineProjection } from '../projection.js';

export type PacingDoc = {
  /** Of the last attempt, epoch milliseconds. */
  readonly last_at: number;
  /** Theoretical arrival time of the next message by the channel's pace, epoch milliseconds. */
  readonly channel_tat: number;
  /** Milliseconds between two messages, as of the last attempt; 0 when it was not paced. */
  readonly interval_ms: number;
};

type Handled = Extract<OperationEvent, { type: 'SendAttempted' }>;

export const channelPacing = defineProjection<PacingDoc, Handled>({
  name: 'channel_pacing',
  version: 2,
  indexes: {},
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
