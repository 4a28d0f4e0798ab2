/** State shared by all processes of a deployment: two documents, each under its own id. */
import { collection } from './collection.js';

/** Can be opened only with the master key that the deployment was first started with. */
export type MasterKeyDoc = {
  readonly sealed: string;
};

export type Upgrade = {
  /** ISO 8601 */
  readonly at: string;
  /** Release that ran before; null when it recorded no release. */
  readonly from: string | null;
  readonly to: string;
  /** One sentence for each upgrade step that was done. */
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
