import { collection } from './collection.js';

export type PacingDoc = {
  /** Time of the last attempt, epoch milliseconds. */
  readonly last_at: number;
  /** Theoretical arrival time of the next message at the channel's pace, epoch milliseconds. */
  readonly channel_tat: number;
  /** Milliseconds between two messages, as of the last attempt; 0 when the channel was not paced. */
  readonly interval_ms: number;
};

export const channelPacing = collection<PacingDoc>()({
  name: 'channel_pacing',
  version: 2,
  indexes: {},
});
