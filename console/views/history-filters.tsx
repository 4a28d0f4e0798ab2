/** The filters of the history: in the address, so that they can be shared. */
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { list, type Schemas } from '../api.js';
import { useLoad } from '../load.js';
import { addressOf, go } from '../place.js';
import { t, type Word } from '../words.js';

const TEXTS = ['types', 'stream', 'actor', 'correlation', 'position'] as const;
const TIMES = ['from', 'to'] as const;
const NAMES = [...TEXTS, ...TIMES, 'order', 'whose'] as const;

export type Filter = { readonly [name in (typeof NAMES)[number]]?: string };

export function filterOf(query: URLSearchParams): Filter {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = query.get(name)?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

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

function instant(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}

export function Filters({ company, filter }: { readonly company: string; readonly filter: Filter }) {
  const [values, setValues] = useState<Filter>(filter);
  const types = useLoad(() => list<Schemas['EventType']>('/events/types'), []);
  const set =
    (name: keyof Filter) =>
    ({ currentTarget }: JSX.TargetedEvent<HTMLInputElement | HTMLSelectElement>): void =>
      setValues({ ...values, [name]: currentTarget.value });
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return (
    <form
      class="search-events"
      aria-label={t('history.filters')}
      onSubmit={(event) => {
        event.preventDefault();
        go(addressOf(company, 'history', null, Object.fromEntries(given)));
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
            {...(name === 'types' ? { list: 'event-types', placeholder: t('history.typesHint') } : {})}
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
        {types.data?.data.map(({ type, description }) => (
          <option key={type} value={type}>
            {description}
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
