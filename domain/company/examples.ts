import type { CommandExamples, EventExamples } from '../kernel/examples.js';
import type { CompanyCommand } from './decide.js';
import type { CompanyEvent } from './events.js';

export const companyEventExamples = {
  registered: {
    type: 'CompanyRegistered',
    data: { name: 'Padaria da Ana', timezone: 'America/Sao_Paulo' },
  },
} satisfies EventExamples<CompanyEvent>;

export const companyCommandExamples = {
  register: {
    given: [],
    command: { type: 'RegisterCompany', name: 'Padaria da Ana', timezone: 'America/Sao_Paulo' },
  },
} satisfies CommandExamples<CompanyEvent, CompanyCommand>;
