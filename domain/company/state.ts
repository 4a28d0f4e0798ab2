import type { OptOutWords } from '../policies/opt-out-words.js';
import { DEFAULT_MARKETING, type MarketingSettings } from '../policies/gates.js';
import type { CompanyEvent } from './events.js';

export interface Company {
  readonly exists: boolean;
  readonly name: string;
  readonly timezone: string;
  readonly marketing: MarketingSettings;
  /** The company's own words, in addition to the built-in ones. */
  readonly words: OptOutWords;
  /** The company's own words that ask for a person, in addition to the built-in ones. */
  readonly personWords: readonly string[];
  /** Whether viewers, who see customers masked, may reveal those of one thing. */
  readonly viewersMayReveal: boolean;
}

export const initialCompany: Company = {
  exists: false,
  name: '',
  timezone: 'UTC',
  marketing: DEFAULT_MARKETING,
  words: { stop: [], resume: [] },
  personWords: [],
  viewersMayReveal: false,
};

export function evolveCompany(state: Company, event: CompanyEvent): Company {
  switch (event.type) {
    case 'CompanyRegistered':
      return { ...state, exists: true, name: event.data.name, timezone: event.data.timezone };
    case 'MarketingSettingsChanged':
      return {
        ...state,
        marketing: {
          enabled: event.data.enabled,
          perContactPerDay: event.data.per_contact_per_day,
          perContactPerWeek: event.data.per_contact_per_week,
          perDay: event.data.per_day,
        },
      };
    case 'OptOutWordsChanged':
      return { ...state, words: { stop: event.data.stop, resume: event.data.resume } };
    case 'PersonWordsChanged':
      return { ...state, personWords: event.data.words };
    case 'PrivacySettingsChanged':
      return { ...state, viewersMayReveal: event.data.viewers_may_reveal };
    default:
      return state;
  }
}
