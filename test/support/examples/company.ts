import type { CommandExamples, EventExamples } from './example.js';
import type { CompanyCommand } from '../../../domain/company/decide.js';
import type { CompanyEvent } from '../../../domain/company/events.js';

export const companyEventExamples = {
  registered: {
    type: 'CompanyRegistered',
    data: { name: 'Padaria da Ana', timezone: 'America/Sao_Paulo' },
  },
  marketingChanged: {
    type: 'MarketingSettingsChanged',
    data: { enabled: true, per_contact_per_day: 2, per_contact_per_week: 6, per_day: 1_000 },
  },
  wordsChanged: {
    type: 'OptOutWordsChanged',
    data: { stop: ['SAIR', 'Não quero mais'], resume: ['Quero de volta'] },
  },
  personWordsChanged: { type: 'PersonWordsChanged', data: { words: ['VENDEDOR', 'Chama a Ana'] } },
  privacyChanged: { type: 'PrivacySettingsChanged', data: { viewers_may_reveal: true } },
} satisfies EventExamples<CompanyEvent>;

export const companyCommandExamples = {
  register: {
    given: [],
    command: { type: 'RegisterCompany', name: 'Padaria da Ana', timezone: 'America/Sao_Paulo' },
  },
  allowMarketing: {
    given: [companyEventExamples.registered],
    command: { type: 'ChangeMarketingSettings', settings: { enabled: true } },
  },
  chooseWords: {
    given: [companyEventExamples.registered],
    command: { type: 'ChangeOptOutWords', words: { stop: ['SAIR'] } },
  },
  choosePersonWords: {
    given: [companyEventExamples.registered],
    command: { type: 'ChangePersonWords', words: ['VENDEDOR'] },
  },
  letViewersReveal: {
    given: [companyEventExamples.registered],
    command: { type: 'ChangePrivacySettings', viewersMayReveal: true },
  },
} satisfies CommandExamples<CompanyEvent, CompanyCommand>;
