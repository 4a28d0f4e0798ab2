/** The filters of the products: in the address, so that they can be shared. */
import { useEffect, useState } from 'preact/hooks';
import { Field } from '../field.js';
import { addressOf, go } from '../place.js';
import type { Category } from '../shapes.js';
import { t } from '../words.js';
import { CategoryOptions } from './category-options.js';
import { LOW } from './product-inline.js';

const SHOWS = ['all', 'on', 'off', 'low'] as const;
const DEFAULTS: Readonly<Record<string, string>> = { show: 'all', low: String(LOW) };
const LATER_MS = 300;

export interface ProductFilter {
  /** Words to search for. */
  readonly q: string;
  readonly show: (typeof SHOWS)[number];
  /** Uuid; empty: all. */
  readonly category: string;
  /** Stock up to which a product counts as low. */
  readonly low: number;
}

export const productFilterOf = (query: URLSearchParams): ProductFilter => ({
  q: query.get('q') ?? '',
  show: SHOWS.find((one) => one === query.get('show')) ?? 'all',
  category: query.get('category') ?? '',
  low: Number(query.get('low') ?? LOW),
});

/** As the API has it. */
export const queryOf = ({ q, show, category, low }: ProductFilter) => ({
  query: q === '' ? undefined : q,
  category: category === '' ? undefined : category,
  active: show === 'on' ? 'true' : show === 'off' ? 'false' : undefined,
  stock_at_most: show === 'low' ? low : undefined,
});

export function ProductFilters({
  company,
  filter,
  categories,
}: {
  readonly company: string;
  readonly filter: ProductFilter;
  readonly categories: readonly Category[];
}) {
  const { q, show, category, low } = filter;
  const set = (change: Readonly<Record<string, string>>): void => {
    const now = { q, show, category, low: String(low), ...change };
    const given = Object.entries(now).filter(([name, value]) => value !== '' && value !== DEFAULTS[name]);
    go(addressOf(company, 'products', null, Object.fromEntries(given)), 'replace');
  };
  return (
    <div class="filters" role="search">
      <SearchField query={q} onQuery={(words) => set({ q: words })} />
      <label class="field">
        {t('products.show')}
        <select value={show} onChange={({ currentTarget }) => set({ show: currentTarget.value })}>
          {SHOWS.map((one) => (
            <option key={one} value={one}>
              {t(`products.show.${one}`)}
            </option>
          ))}
        </select>
      </label>
      {show === 'low' && (
        <Field
          label={t('products.lowFrom')}
          type="number"
          min={0}
          max={1_000_000}
          value={low}
          onInput={(value) => set({ low: String(Math.max(0, Math.floor(Number(value) || 0))) })}
        />
      )}
      <label class="field">
        {t('products.category')}
        <select value={category} onChange={({ currentTarget }) => set({ category: currentTarget.value })}>
          <option value="">{t('form.all')}</option>
          <CategoryOptions categories={categories} />
        </select>
      </label>
    </div>
  );
}

/** Asks a moment after the last key. */
function SearchField({ query, onQuery }: { readonly query: string; readonly onQuery: (q: string) => void }) {
  const [words, setWords] = useState(query);
  useEffect(() => {
    const text = words.trim();
    if (text === query) return;
    const timer = setTimeout(() => onQuery(text), LATER_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return <Field label={t('products.query')} type="search" maxLength={120} value={words} onInput={setWords} />;
}
