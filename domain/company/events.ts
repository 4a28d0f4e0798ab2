import { Type } from '@sinclair/typebox';
import { defineEvent, type EventOf } from '../kernel/event.js';

export const companyEvents = [
  defineEvent('CompanyRegistered', 1, 'A company (tenant) was set up by the operator.', {
    name: Type.String(),
    /** IANA time zone, for times of day in flows and reports. */
    timezone: Type.String(),
  }),
  defineEvent(
    'MarketingSettingsChanged',
    1,
    'Marketing was switched on or off, or its caps changed; holds all values.',
    {
      enabled: Type.Boolean(),
      /** MARKETING templates to one contact within 24 hours. */
      per_contact_per_day: Type.Integer({ minimum: 0 }),
      /** The same within 7 days. */
      per_contact_per_week: Type.Integer({ minimum: 0 }),
      /** MARKETING templates of the whole company within 24 hours. */
      per_day: Type.Integer({ minimum: 0 }),
    },
  ),
  defineEvent(
    'OptOutWordsChanged',
    1,
    'The words that stop or resume marketing, beside the built-in ones, were changed; holds both lists.',
    {
      stop: Type.Array(Type.String()),
      resume: Type.Array(Type.String()),
    },
  ),
  defineEvent(
    'PersonWordsChanged',
    1,
    'The words that ask for a person while a flow runs, beside the built-in ones, were changed; holds the whole list.',
    { words: Type.Array(Type.String()) },
  ),
  defineEvent(
    'PrivacySettingsChanged',
    1,
    'An owner decided whether people who see customers masked may reveal those of one thing; holds all values.',
    { viewers_may_reveal: Type.Boolean() },
  ),
] as const;

export type CompanyEvent = EventOf<typeof companyEvents>;
