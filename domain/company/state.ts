import type { CompanyEvent } from './events.js';

export interface Company {
  readonly exists: boolean;
  readonly name: string;
  readonly timezone: string;
}

export const initialCompany: Company = { exists: false, name: '', timezone: 'UTC' };

export function evolveCompany(state: Company, event: CompanyEvent): Company {
  switch (event.type) {
    case 'CompanyRegistered':
      return { exists: true, name: event.data.name, timezone: event.data.timezone };
    default:
      return state;
  }
}
