import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

/**
 * What a send is found by besides its recipient, under the uuid of its operation. Only sends of a template or with
 * metadata have one, so that other messages do not pay for these indexes.
 */
export type SendLabelsDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  /** Name of the template; null for other messages. */
  readonly template: string | null;
  /** Hashes of the pairs of `metadata`; see `pairHash`. */
  readonly pairs: readonly string[];
  readonly created_at: string;
};

export const sendLabels = collection<SendLabelsDoc>()({
  name: 'send_labels',
  version: 1,
  indexes: { by_template: ['company_uuid', 'template', 'created_at'] },
  search: { scope: 'company_uuid', words: 'pairs', orderBy: 'created_at' },
});
