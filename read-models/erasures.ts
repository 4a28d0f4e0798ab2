import type { CompanyUuid, ContactUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type ErasureDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly contact_uuid: ContactUuid;
  /** Contacts that were merged into one are erased together. */
  readonly contact_uuids: readonly string[];
  /**
   * `requested`: keys have still to be destroyed. `removing`: the keys are destroyed, and the data sealed with them is
   * unreadable.
   */
  readonly status: 'requested' | 'removing' | 'done';
  /** `open` or `done`. */
  readonly shelf: 'open' | 'done';
  /** Reasons why it cannot finish yet; empty when nothing blocks it. */
  readonly waiting_for: readonly string[];
  readonly keys_destroyed: number;
  /** Number of documents that held data of the person, and of stored webhook bodies. */
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
