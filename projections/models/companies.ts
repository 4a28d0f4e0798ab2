import type { CompanyEvent } from '../../domain/company/events.js';
import { companyStream } from '../../domain/company/stream.js';
import { defineProjection } from '../projection.js';

export type CompanyDoc = {
  readonly uuid: string;
  readonly name: string;
  readonly timezone: string;
  readonly created_at: string;
};

export const companies = defineProjection<CompanyDoc, CompanyEvent>({
  name: 'companies',
  version: 1,
  indexes: { all: ['created_at'] },
  handles: ['CompanyRegistered'],
  documentId: ({ record }) => companyStream.match(record.stream) ?? null,
  evolve: (_doc, { event, record }) => ({
    uuid: companyStream.match(record.stream)!,
    name: event.data.name,
    timezone: event.data.timezone,
    created_at: record.meta.occurred_at,
  }),
});
