/** Read models that work is waiting for, in any process. */
import { collection } from './collection.js';

export type WaitDoc = {
  readonly read_model: string;
  /** When work last had to wait for it. */
  readonly seen_at: string;
  readonly since: string;
};

export const readModelWaits = collection<WaitDoc>()({ name: 'read_model_waits', version: 1, indexes: {} });
