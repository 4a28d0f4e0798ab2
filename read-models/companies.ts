import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { MarketingSettings } from '../domain/policies/gates.js';
import type { OptOutWords } from '../domain/policies/opt-out-words.js';
import { collection } from './collection.js';

export type CompanyDoc = {
  readonly uuid: CompanyUuid;
  readonly name: string;
  readonly timezone: string;
  readonly marketing: MarketingSettings;
  readonly words: OptOutWords;
  /** Words in a message that ask for a human. */
  readonly personWords: readonly string[];
  /** Whether viewers may reveal what they see masked. */
  readonly viewersMayReveal: boolean;
  readonly created_at: string;
};

export const companies = collection<CompanyDoc>()({
  name: 'companies',
  version: 5,
  indexes: { all: ['created_at'] },
});
