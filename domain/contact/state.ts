import { entryOf, withEntry } from '../kernel/entries.js';
import type { CompanyUuid } from '../kernel/ids.js';
import type { ContactEvent } from './events.js';

type ByIntegration<T> = Readonly<Record<string, T>>;
export type CustomFields = Readonly<Record<string, unknown>>;

export interface Contact {
  readonly exists: boolean;
  readonly companyUuid: CompanyUuid;
  readonly subject: string;
  /** The phone that is displayed and written to. */
  readonly phone: string | null;
  readonly phoneKey: string | null;
  readonly waUserId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly tags: readonly string[];
  readonly customFields: CustomFields;
  /** By channel uuid. */
  readonly waIds: Readonly<Record<string, string | null>>;
  /** The external id that the API reports to an integration. */
  readonly links: ByIntegration<string | null>;
  /** From here on: every identity by which the contact can be found. */
  readonly phoneKeys: readonly string[];
  readonly userIds: readonly string[];
  readonly externalIds: ByIntegration<readonly string[]>;
  readonly optedOut: boolean;
  /** Time of the last opt-out or opt-in of marketing. */
  readonly wishAt: string | null;
  readonly attributed: boolean;
  /** The contact that this one was merged into. */
  readonly mergedInto: string | null;
  /** Contacts that were merged into this one. */
  readonly absorbed: readonly string[];
  readonly erased: boolean;
  /** Was erased at some time, even if the person is known again. */
  readonly everErased: boolean;
}

/**
 * True when the person can no longer be written to or identified: the person was erased, or the erasure is in progress.
 * The key is destroyed before the erasure is on record, so the fields may read as null earlier.
 */
export const isGone = ({ erased, phone, waUserId }: Contact): boolean =>
  erased || (phone === null && waUserId === null);

/** The state after an erasure. The marketing opt-out stays: it is stored against the phone's keyed hash. */
const NOTHING_PERSONAL = {
  phone: null,
  phoneKey: null,
  waUserId: null,
  name: null,
  email: null,
  tags: [],
  customFields: {},
  waIds: {},
  links: {},
  phoneKeys: [],
  userIds: [],
  externalIds: {},
} satisfies Partial<Contact>;

export const initialContact: Contact = {
  ...NOTHING_PERSONAL,
  exists: false,
  companyUuid: '',
  subject: '',
  optedOut: false,
  wishAt: null,
  attributed: false,
  mergedInto: null,
  absorbed: [],
  erased: false,
  everErased: false,
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
        phoneKeys: present([event.data.phone_key]),
        userIds: present([event.data.wa_user_id]),
      };
    case 'ContactNamed':
      return { ...state, name: event.data.name };
    case 'ContactChanged':
      return changed(state, event.data);
    case 'ContactPhoneLearned':
      return {
        ...state,
        phone: event.data.phone,
        phoneKey: event.data.phone_key,
        phoneKeys: union(state.phoneKeys, present([event.data.phone_key])),
        // Null: the data came in before the erasure.
        erased: state.erased && event.data.phone === null,
      };
    case 'ContactUserIdLearned':
      return {
        ...state,
        // Null: the data came in before an erasure.
        waUserId: event.data.wa_user_id ?? state.waUserId,
        userIds: union(state.userIds, present([event.data.wa_user_id])),
      };
    case 'ContactWaIdLearned':
      if (event.data.wa_id === null) return state;
      return { ...state, waIds: withEntry(state.waIds, event.data.channel_uuid, event.data.wa_id) };
    case 'ContactLinked': {
      const { integration_uuid: integration, external_id: id } = event.data;
      const all = union(entryOf(state.externalIds, integration) ?? [], present([id]));
      return {
        ...state,
        links: withEntry(state.links, integration, id),
        externalIds: withEntry(state.externalIds, integration, all),
      };
    }
    case 'ContactUnlinked': {
      const { integration_uuid: integration, external_id: id } = event.data;
      const left = (entryOf(state.externalIds, integration) ?? []).filter((other) => other !== id);
      const link = entryOf(state.links, integration) ?? null;
      return {
        ...state,
        links: withEntry(state.links, integration, link === id ? null : link),
        externalIds: withEntry(state.externalIds, integration, left),
      };
    }
    case 'ContactOptedOut':
      return { ...state, optedOut: true, wishAt: event.data.at };
    case 'ContactOptedIn':
      return { ...state, optedOut: false, wishAt: event.data.at };
    case 'ContactAttributed':
      return {
        ...state,
        attributed: true,
        customFields: { ...state.customFields, ...record(event.data.custom_fields) },
      };
    case 'ContactMergedInto':
      return { ...state, mergedInto: event.data.contact_uuid };
    case 'ContactAbsorbed':
      return absorb(state, event.data);
    case 'ContactErased':
      return { ...state, ...NOTHING_PERSONAL, erased: true, everErased: true };
    default:
      return state;
  }
}

type DataOf<T extends ContactEvent['type']> = Extract<ContactEvent, { type: T }>['data'];

/**
 * The details of an event that changed. Erased fields read as null: the list of changes then says nothing, and must not
 * cause an error.
 */
export function changed<T extends Pick<Contact, 'name' | 'email' | 'tags' | 'customFields'>>(
  state: T,
  data: DataOf<'ContactChanged'>,
): T {
  const has = (field: string): boolean => Array.isArray(data.changed) && data.changed.includes(field);
  return {
    ...state,
    name: has('name') ? data.name : state.name,
    email: has('email') ? data.email : state.email,
    tags: has('tags') ? present(data.tags) : state.tags,
    customFields: has('custom_fields')
      ? { ...state.customFields, ...record(data.custom_fields) }
      : state.customFields,
  };
}

/** Fields missing on one side come from the other; where both have a value, the surviving contact keeps its own. */
export function absorb(state: Contact, data: DataOf<'ContactAbsorbed'>): Contact {
  const theirs = timeOf(data.wish_at) > timeOf(state.wishAt);
  const links = record(data.links) as ByIntegration<string | null>;
  const externalIds: Record<string, readonly string[]> = { ...state.externalIds };
  for (const [integration, ids] of Object.entries(record(data.external_ids))) {
    externalIds[integration] = union(entryOf(state.externalIds, integration) ?? [], present(ids));
  }
  return {
    ...state,
    phone: state.phone ?? data.phone,
    phoneKey: state.phone === null ? data.phone_key : state.phoneKey,
    waUserId: state.waUserId ?? data.wa_user_id,
    name: state.name ?? data.name,
    email: state.email ?? data.email,
    tags: union(state.tags, present(data.tags)),
    customFields: { ...record(data.custom_fields), ...state.customFields },
    waIds: { ...(record(data.wa_ids) as Contact['waIds']), ...state.waIds },
    links: { ...links, ...Object.fromEntries(Object.entries(state.links).filter(([, id]) => id !== null)) },
    phoneKeys: union(state.phoneKeys, present(data.phone_keys)),
    userIds: union(state.userIds, present(data.wa_user_ids)),
    externalIds,
    optedOut: theirs ? data.opted_out : state.optedOut,
    wishAt: theirs ? data.wish_at : state.wishAt,
    attributed: state.attributed || data.attributed,
    // The person was erased and is known again.
    erased: state.erased && !data.phone && !data.wa_user_id,
    absorbed: union(state.absorbed, [...present([data.contact_uuid]), ...present(data.absorbed_uuids)]),
  };
}

/** Erased fields read as null, and stored events may hold anything. */
const present = (values: unknown): readonly string[] =>
  Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [];

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const timeOf = (instant: unknown): number => (typeof instant === 'string' ? Date.parse(instant) : -Infinity);

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];
