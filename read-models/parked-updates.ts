import { collection } from './collection.js';

export type ParkedUpdateDoc = {
  readonly id: string;
  /** The webhook that contained it, as a stream id of the webhook inbox. */
  readonly webhook_uuid: string;
  readonly index: number;
  readonly kind: string;
  readonly reason: string;
  readonly parked_at: string;
  readonly shelf: 'all';
};

export const parkedUpdates = collection<ParkedUpdateDoc>()({
  name: 'parked_updates',
  version: 1,
  indexes: { all: ['shelf', 'parked_at'] },
});
