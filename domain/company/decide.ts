import type { Aggregate } from '../kernel/decider.js';
import { Refusal } from '../kernel/refusal.js';
import { canonicalJson } from '../policies/canonical-json.js';
import type { MarketingSettings } from '../policies/gates.js';
import { tidyWords, type OptOutWords } from '../policies/opt-out-words.js';
import { companyStream } from '../streams.js';
import { companyEvents, type CompanyEvent } from './events.js';
import { evolveCompany, initialCompany, type Company } from './state.js';

export type CompanyCommand =
  | { readonly type: 'RegisterCompany'; readonly name: string; readonly timezone: string }
  /** Fields that are left out keep their values. */
  | { readonly type: 'ChangeMarketingSettings'; readonly settings: Partial<MarketingSettings> }
  /** Lists that are left out keep their words. */
  | { readonly type: 'ChangeOptOutWords'; readonly words: Partial<OptOutWords> }
  /** Replaces the company's list of words that ask for a person. */
  | { readonly type: 'ChangePersonWords'; readonly words: readonly string[] }
  | { readonly type: 'ChangePrivacySettings'; readonly viewersMayReveal: boolean };

export function decideCompany(command: CompanyCommand, state: Company): readonly CompanyEvent[] {
  if (command.type === 'RegisterCompany') {
    if (state.exists) return [];
    return [{ type: 'CompanyRegistered', data: { name: command.name, timezone: command.timezone } }];
  }
  if (!state.exists) {
    throw new Refusal('not_found', 'There is no such company.', { resource: 'company' });
  }
  switch (command.type) {
    case 'ChangeMarketingSettings':
      return changeMarketing(command.settings, state);
    case 'ChangeOptOutWords':
      return changeWords(command.words, state);
    case 'ChangePersonWords': {
      const words = tidyWords(command.words);
      if (canonicalJson(words) === canonicalJson(state.personWords)) return [];
      return [{ type: 'PersonWordsChanged', data: { words: [...words] } }];
    }
    case 'ChangePrivacySettings': {
      const { viewersMayReveal } = command;
      if (viewersMayReveal === state.viewersMayReveal) return [];
      return [{ type: 'PrivacySettingsChanged', data: { viewers_may_reveal: viewersMayReveal } }];
    }
    default:
      return command satisfies never;
  }
}

function changeWords(words: Partial<OptOutWords>, state: Company): readonly CompanyEvent[] {
  const after = { ...state.words, ...words };
  const stop = tidyWords(after.stop);
  const resume = tidyWords(after.resume);
  if (canonicalJson({ stop, resume }) === canonicalJson(state.words)) return [];
  return [{ type: 'OptOutWordsChanged', data: { stop: [...stop], resume: [...resume] } }];
}

function changeMarketing(settings: Partial<MarketingSettings>, state: Company): readonly CompanyEvent[] {
  const after = { ...state.marketing, ...settings };
  if (canonicalJson(after) === canonicalJson(state.marketing)) return [];
  return [
    {
      type: 'MarketingSettingsChanged',
      data: {
        enabled: after.enabled,
        per_contact_per_day: after.perContactPerDay,
        per_contact_per_week: after.perContactPerWeek,
        per_day: after.perDay,
      },
    },
  ];
}

export const companyAggregate: Aggregate<Company, CompanyCommand, CompanyEvent, 'company'> = {
  stream: companyStream,
  events: companyEvents,
  initial: initialCompany,
  decide: decideCompany,
  evolve: evolveCompany,
};
