import { collection } from './collection.js';

export type KeyUsageDoc = {
  readonly key_id: string;
  /** ISO 8601, exact to a minute. */
  readonly last_used_at: string;
};

export const keyUsage = collection<KeyUsageDoc>()({ name: 'key_usage', version: 1, indexes: {} });
