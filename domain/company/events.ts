import { Type } from '@sinclair/typebox';
import { defineEvent, type EventOf } from '../kernel/event.js';

export const companyEvents = [
  defineEvent('CompanyRegistered', 1, 'A company (tenant) was set up by the operator.', {
    name: Type.String(),
    /** IANA time zone, for times of day in flows and reports. */
    timezone: Type.String(),
  }),
] as const;

export type CompanyEvent = EventOf<typeof companyEvents>;
