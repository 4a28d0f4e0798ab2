import type { CompanyEvent } from '../../domain/company/events.js';
import { evolveCompany, initialCompany } from '../../domain/company/state.js';
import { companyStream } from '../../domain/company/stream.js';
import type { MarketingSettings } from '../../domain/policies/gates.js';
import type { OptOutWords } from '../../domain/policies/opt-out-words.js';
import { defineProjection } from '../projection.js';

export type CompanyDoc = {
  readonly uuid: string;
  readonly name: string;
  readonly timezone: string;
  readonly marketing: MarketingSettings;
  readonly words: OptOutWords;
  /** That call a person. */
  readonly personWords: readonly string[];
  readonly created_at: string;
};

export const companies = defineProjection<CompanyDoc, CompanyEvent>({
  name: 'companies',
  version: 4,
  indexes: { all: ['created_at'] },
  handles: ['CompanyRegistered', 'MarketingSettingsChanged', 'OptOutWordsChanged', 'PersonWordsChanged'],
  documentId: ({ record }) => companyStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    if (!doc && event.type !== 'CompanyRegistered') return null;
    const before = { ...initialCompany, ...doc };
    const after = evolveCompany(before, event);
    if (doc && after === before) return doc;
    const { name, timezone, marketing, words, personWords } = after;
    return {
      uuid: companyStream.match(record.stream)!,
      name,
      timezone,
      marketing,
      words,
      personWords,
      created_at: doc?.created_at ?? record.meta.occurred_at,
    };
  },
});
