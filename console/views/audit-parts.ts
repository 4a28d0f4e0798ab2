/** An entry of the audit in words: who, what, about what, and where the page shows that. */
import type { Schemas } from '../api.js';
import { addressOf, type Section } from '../place.js';
import type { Names } from '../team.js';
import { named, t } from '../words.js';

export type Entry = Schemas['AuditEntry'];

/** The section that shows what a stream is about, with the thing or as a whole. */
const SECTION_OF: Readonly<Record<string, Section>> = {
  contact: 'contacts',
  conversation: 'inbox',
  message: 'messages',
  order: 'orders',
  product: 'products',
  flow: 'flows',
  channel: 'channels',
  sending: 'channels',
  integration: 'keys',
};
const WHOLE_OF: Readonly<Record<string, Section>> = {
  team: 'people',
  store: 'shop',
  company: 'settings',
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Of the thing; null where the page has no place for it. */
export function placeOf(company: string, { stream, details, kind, type }: Entry): string | null {
  const endpoint = textOf(details['endpoint_uuid']);
  if (kind === 'webhook') {
    const gone = endpoint === null || type === 'WebhookEndpointRemoved';
    return addressOf(company, 'webhooks', gone ? null : endpoint);
  }
  const asked = askedIn({ type, details });
  if (asked !== null && /Projection|Rebuild/.test(asked))
    return addressOf(company, 'projections', textOf(details['name']));
  const contact = kind === 'erasure' ? textOf(details['contact_uuid']) : null;
  if (contact !== null) return addressOf(company, 'contacts', contact);
  const dash = stream.indexOf('-');
  const revealed = textOf(details['thing']);
  const category = revealed ?? stream.slice(0, dash);
  const uuid = revealed === null ? stream.slice(dash + 1) : textOf(details['thing_uuid']);
  const whole = WHOLE_OF[category];
  if (whole !== undefined) return addressOf(company, whole);
  const section = SECTION_OF[category];
  if (section === undefined) return null;
  return addressOf(company, section, uuid, section === 'inbox' ? { status: 'all' } : {});
}

export function whoOf({ actor: { kind, id, name } }: Entry): string {
  if (name !== null) return kind === 'user' ? name : t('audit.program', { name });
  if (kind === 'admin') return t('audit.operators');
  if (kind === 'visitor') return t('audit.somebody');
  if (kind === 'user') return t('audit.gone');
  return named('actor', kind) === kind ? [kind, id].filter(Boolean).join(' ') : named('actor', kind);
}

/** The operation that somebody asked for; null for other events. */
const askedIn = ({ type, details }: Pick<Entry, 'type' | 'details'>): string | null =>
  type === 'UpkeepRequested' ? textOf(details['operation']) : null;

/** What was asked for: of a projection, or how an export was to be. */
const aboutOf = ({ name, generation, version, ...on }: Entry['details']): readonly (string | null)[] => [
  textOf(name),
  typeof generation === 'string' ? t('audit.generation', { number: generation }) : null,
  typeof version === 'string' ? t('audit.version', { number: version }) : null,
  on['include_personal'] === undefined ? null : t('audit.personal'),
  on['exact'] === undefined ? null : t('audit.exact'),
];

/** Switches that an event may have set, in the order in which they are said. */
const SWITCHES = ['on', 'enabled', 'viewers_may_reveal'] as const;

export function wordsOf(
  { actor, type, details }: Entry,
  names: Names,
): { readonly did: string; readonly more: readonly string[] } {
  const { member_uuid: member, agent_uuid: agent, role, reason, reference, source } = details;
  const asked = askedIn({ type, details });
  const about = textOf(member) ?? textOf(agent);
  const isOwn = about !== null && actor.kind === 'user' && actor.id === about;
  const more = [
    about === null || isOwn ? null : (names.get(about) ?? t('audit.gone')),
    typeof role === 'string' ? named('role', role) : null,
    typeof reason === 'string' ? named('reason', reason) : null,
    textOf(reference),
    typeof source === 'string' ? named('wish.source', source) : null,
    ...(asked === null ? [] : aboutOf(details)),
    ...SWITCHES.map((name) => {
      const value = details[name];
      return typeof value === 'boolean' ? t(value ? 'audit.on' : 'audit.off') : null;
    }),
  ];
  const did = asked === null ? named('did', type) : named('asked', asked);
  return { did, more: more.filter((text) => text !== null) };
}
