import { collection } from './collection.js';

export type ErasureDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly contact_uuid: string;
  /** Contacts that were merged into one are erased together. */
  readonly contact_uuids: readonly string[];
  /** `requested`: keys have still to go. `removing`: they are gone, and with them what is sealed. */
  readonly status: 'requested' | 'removing' | 'done';
  /** `open` or `done`. */
  readonly shelf: 'open' | 'done';
  /** Why it can not end yet; empty when nothing is in its way. */
  readonly waiting_for: readonly string[];
  readonly keys_destroyed: number;
  /** Documents that held something of the person, and stored webhook bodies. */
  readonly removed: number;
  readonly requested_at: string;
  readonly ended_at: string | null;
};

export const erasures = collection<ErasureDoc>()({
  name: 'erasures',
  version: 1,
  indexes: {
    newest: ['requested_at'],
    by_shelf: ['shelf', 'requested_at'],
  },
});
