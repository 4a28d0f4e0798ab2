import { withEntry } from '../kernel/entries.js';
import type { ContactEvent } from './events.js';

export interface Contact {
  readonly exists: boolean;
  readonly companyUuid: string;
  readonly subject: string;
  readonly phone: string | null;
  readonly phoneKey: string | null;
  readonly waUserId: string | null;
  readonly name: string | null;
  /** By channel uuid. */
  readonly waIds: Readonly<Record<string, string | null>>;
  /** External ids by integration uuid. */
  readonly links: Readonly<Record<string, string | null>>;
  readonly erased: boolean;
}

export const initialContact: Contact = {
  exists: false,
  companyUuid: '',
  subject: '',
  phone: null,
  phoneKey: null,
  waUserId: null,
  name: null,
  waIds: {},
  links: {},
  erased: false,
};

export function evolveContact(state: Contact, event: ContactEvent): Contact {
  switch (event.type) {
    case 'ContactCreated':
      return {
        ...initialContact,
        exists: true,
        companyUuid: event.data.company_uuid,
        subject: event.data.subject,
        phone: event.data.phone,
        phoneKey: event.data.phone_key,
        waUserId: event.data.wa_user_id,
        name: event.data.name,
      };
    case 'ContactNamed':
      return { ...state, name: event.data.name };
    case 'ContactWaIdLearned':
      return { ...state, waIds: withEntry(state.waIds, event.data.channel_uuid, event.data.wa_id) };
    case 'ContactLinked':
      return { ...state, links: withEntry(state.links, event.data.integration_uuid, event.data.external_id) };
    case 'ContactErased':
      return {
        ...state,
        phone: null,
        phoneKey: null,
        waUserId: null,
        name: null,
        waIds: {},
        links: {},
        erased: true,
      };
    default:
      return state;
  }
}
