import type { Aggregate } from '../kernel/decider.js';
import { companyEvents, type CompanyEvent } from './events.js';
import { evolveCompany, initialCompany, type Company } from './state.js';
import { companyStream } from './stream.js';

export type CompanyCommand = {
  readonly type: 'RegisterCompany';
  readonly name: string;
  readonly timezone: string;
};

export function decideCompany(command: CompanyCommand, state: Company): readonly CompanyEvent[] {
  if (state.exists) return [];
  return [{ type: 'CompanyRegistered', data: { name: command.name, timezone: command.timezone } }];
}

export const companyAggregate: Aggregate<Company, CompanyCommand, CompanyEvent> = {
  stream: companyStream,
  events: companyEvents,
  initial: initialCompany,
  decide: decideCompany,
  evolve: evolveCompany,
};
