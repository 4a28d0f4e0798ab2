/** The filters of the history: in the address, so that they can be shared. */
import { list, type Schemas } from '../api.js';
import { filterIn, instantOf, useFilter, type FilterOf } from '../filters.js';
import { useLoad } from '../load.js';
import { addressOf, go } from '../place.js';
import { t, type Word } from '../words.js';
import { useNames } from '../team.js';
import { whenRecorded } from './event-parts.js';

const TEXTS = ['types', 'stream', 'actor', 'correlation', 'position'] as const;
const TIMES = ['from', 'to'] as const;
const NAMES = [...TEXTS, ...TIMES, 'order', 'whose'] as const;

export type Filter = FilterOf<(typeof NAMES)[number]>;

export const filterOf = (query: URLSearchParams): Filter => filterIn(query, NAMES);

/** As the API has it. Times are those of this browser until here. */
export function queryOf(company: string, filter: Filter): Record<string, string | undefined> {
  const { types, stream, actor, correlation, position, from, to, order = 'desc', whose } = filter;
  return {
    types: types?.replace(/\s+/g, ''),
    stream,
    actor,
    correlation,
    from: from && instant(from),
    to: position ?? (to && instant(to)),
    order,
    company: whose === 'all' || stream !== undefined ? undefined : company,
  };
}

/** What is no time goes to the API as it is, which says so. */
const instant = (local: string): string => instantOf(local) ?? local;

const HINTS: Readonly<Partial<Record<(typeof TEXTS)[number], { list: string; placeholder?: string }>>> = {
  types: { list: 'event-types', placeholder: t('history.typesHint') },
  actor: { list: 'event-actors' },
};

export function Filters({ company, filter }: { readonly company: string; readonly filter: Filter }) {
  const { values, set, given } = useFilter(filter);
  const names = useNames(company);
  const types = useLoad(() => list<Schemas['EventType']>('/events/types'), []);
  return (
    <form
      class="search-events"
      aria-label={t('history.filters')}
      onSubmit={(event) => {
        event.preventDefault();
        go(addressOf(company, 'history', null, given));
      }}
    >
      {TEXTS.map((name) => (
        <label key={name}>
          {t(`history.${name}` as Word)}
          <input
            name={name}
            value={values[name] ?? ''}
            autocomplete="off"
            spellcheck={false}
            {...HINTS[name]}
            onInput={set(name)}
          />
        </label>
      ))}
      {TIMES.map((name) => (
        <label key={name}>
          {t(`history.${name}`)}
          <input type="datetime-local" step="1" name={name} value={values[name] ?? ''} onInput={set(name)} />
        </label>
      ))}
      <label>
        {t('history.whose')}
        <select name="whose" value={values.whose ?? 'one'} onChange={set('whose')}>
          <option value="one">{t('history.mine')}</option>
          <option value="all">{t('history.everybody')}</option>
        </select>
      </label>
      <label>
        {t('history.order')}
        <select name="order" value={values.order ?? 'desc'} onChange={set('order')}>
          <option value="desc">{t('history.desc')}</option>
          <option value="asc">{t('history.asc')}</option>
        </select>
      </label>
      <datalist id="event-types">
        {types.data?.data.map((known) => (
          <option key={known.type} value={known.type}>
            {whenRecorded(known)}
          </option>
        ))}
      </datalist>
      <datalist id="event-actors">
        {[...names].map(([uuid, name]) => (
          <option key={uuid} value={`user:${uuid}`}>
            {name}
          </option>
        ))}
      </datalist>
      <div class="actions">
        <button type="submit" class="main">
          {t('history.apply')}
        </button>
        <button type="button" onClick={() => go(addressOf(company, 'history'))}>
          {t('history.clear')}
        </button>
      </div>
    </form>
  );
}
