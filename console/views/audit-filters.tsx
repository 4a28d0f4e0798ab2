/** The filters of the audit: in the address, so that they can be shared. */
import type { Schemas } from '../api.js';
import { filterIn, instantOf, useFilter, type FilterOf } from '../filters.js';
import { addressOf, go } from '../place.js';
import { useSession } from '../session.js';
import { named, t } from '../words.js';

const KINDS: readonly Schemas['AuditKind'][] = [
  ...(['access', 'sign_in', 'reveal', 'key', 'erasure', 'setting', 'webhook'] as const),
  ...(['contact', 'conversation', 'message', 'order', 'product', 'flow'] as const),
];
const NAMES = ['whose', 'actor', 'kind', 'from', 'to'] as const;

export type AuditFilter = FilterOf<(typeof NAMES)[number]>;

export const auditFilterOf = (query: URLSearchParams): AuditFilter => filterIn(query, NAMES);

/** As the API has it. Times are those of this browser until here; a minute that is named is over at its end. */
export function auditQueryOf(
  company: string,
  { whose, actor, kind, from, to }: AuditFilter,
): Record<string, string | undefined> {
  return {
    actor,
    kind,
    from: instantOf(from),
    to: instantOf(to, 59_999),
    company: whose === 'server' ? undefined : company,
  };
}

interface Props {
  readonly company: string;
  readonly filter: AuditFilter;
  readonly people: readonly Schemas['TeamMember'][];
}

export function Filters({ company, filter, people }: Props) {
  const isOperator = useSession().role === 'operator';
  const { values, set, given } = useFilter(filter);
  const { actor = '' } = values;
  const isKnown = actor === '' || actor === 'admin' || people.some(({ uuid }) => actor === `user:${uuid}`);
  return (
    <form
      class="search-events"
      role="search"
      aria-label={t('audit.filters')}
      onSubmit={(event) => {
        event.preventDefault();
        go(addressOf(company, 'audit', null, given));
      }}
    >
      {isOperator && (
        <label>
          {t('audit.whose')}
          <select name="whose" value={values.whose ?? ''} onChange={set('whose')}>
            <option value="">{t('audit.company')}</option>
            <option value="server">{t('audit.server')}</option>
          </select>
        </label>
      )}
      <label>
        {t('audit.person')}
        <select name="actor" value={actor} onChange={set('actor')}>
          <option value="">{t('audit.anybody')}</option>
          <option value="admin">{t('audit.operators')}</option>
          {people.map(({ uuid, name }) => (
            <option key={uuid} value={`user:${uuid}`}>
              {name ?? t('people.noName')}
            </option>
          ))}
          {!isKnown && <option value={actor}>{actor}</option>}
        </select>
      </label>
      <label>
        {t('audit.kind')}
        <select name="kind" value={values.kind ?? ''} onChange={set('kind')}>
          <option value="">{t('form.all')}</option>
          {[...KINDS, ...(isOperator ? (['server'] as const) : [])].map((kind) => (
            <option key={kind} value={kind}>
              {named('auditKind', kind)}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map((name) => (
        <label key={name}>
          {t(`audit.${name}`)}
          <input name={name} type="datetime-local" value={values[name] ?? ''} onInput={set(name)} />
        </label>
      ))}
      <div class="actions">
        <button type="submit" class="main">
          {t('audit.filter')}
        </button>
        <button type="button" onClick={() => go(addressOf(company, 'audit'))}>
          {t('audit.clear')}
        </button>
      </div>
    </form>
  );
}
