import type { CompanyEvent } from '../../domain/company/events.js';
import { evolveCompany, initialCompany } from '../../domain/company/state.js';
import { companyStream } from '../../domain/company/stream.js';
import type { MarketingSettings } from '../../domain/policies/gates.js';
import { defineProjection } from '../projection.js';

export type CompanyDoc = {
  readonly uuid: string;
  readonly name: string;
  readonly timezone: string;
  readonly marketing: MarketingSettings;
  readonly created_at: string;
};

export const companies = defineProjection<CompanyDoc, CompanyEvent>({
  name: 'companies',
  version: 2,
  indexes: { all: ['created_at'] },
  handles: ['CompanyRegistered', 'MarketingSettingsChanged'],
  documentId: ({ record }) => companyStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    if (event.type !== 'CompanyRegistered' && (!doc || event.type !== 'MarketingSettingsChanged'))
      return doc ?? null;
    const { name, timezone, marketing } = evolveCompany({ ...initialCompany, ...doc }, event);
    return {
      uuid: companyStream.match(record.stream)!,
      name,
      timezone,
      marketing,
      created_at: doc?.created_at ?? record.meta.occurred_at,
    };
  },
});
