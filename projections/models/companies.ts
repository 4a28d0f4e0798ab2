import type { CompanyEvent } from '../../domain/company/events.js';
import { evolveCompany, initialCompany } from '../../domain/company/state.js';
import { companyStream } from '../../domain/streams.js';
import { companies as collection, type CompanyDoc } from '../../read-models/companies.js';
import { defineProjection } from '../projection.js';

export const companies = defineProjection<CompanyDoc, CompanyEvent>({
  collection,
  handles: [
    'CompanyRegistered',
    'MarketingSettingsChanged',
    'OptOutWordsChanged',
    'PersonWordsChanged',
    'PrivacySettingsChanged',
  ],
  documentId: ({ record }) => companyStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    if (!doc && event.type !== 'CompanyRegistered') return null;
    const before = { ...initialCompany, ...doc };
    const after = evolveCompany(before, event);
    if (doc && after === before) return doc;
    const { name, timezone, marketing, words, personWords, viewersMayReveal } = after;
    return {
      uuid,
      name,
      timezone,
      marketing,
      words,
      personWords,
      viewersMayReveal,
      created_at: doc?.created_at ?? record.meta.occurred_at,
    };
  },
});
