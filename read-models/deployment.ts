/** What all processes of a deployment have in common: two documents, each under an id of its own. */
import { collection } from './collection.js';

/** Opens under the master key that the deployment was begun with, and under no other. */
export type MasterKeyDoc = {
  readonly sealed: string;
};

export type Upgrade = {
  /** ISO 8601 */
  readonly at: string;
  /** Release that ran before; null when it left no word of itself. */
  readonly from: string | null;
  readonly to: string;
  /** A sentence for each thing that was done. */
  readonly notes: readonly string[];
};

export type ReleaseDoc = {
  readonly release: string;
  readonly upgrade: Upgrade | null;
};

export const deployment = collection<MasterKeyDoc | ReleaseDoc>()({
  name: 'deployment',
  version: 1,
  indexes: {},
});
