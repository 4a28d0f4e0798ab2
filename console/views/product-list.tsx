import { useEffect, useState } from 'preact/hooks';
import { Field } from '../field.js';
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Product } from '../shapes.js';
import { headsOf } from '../table.js';
import { t } from '../words.js';
import { CategoryOptions, useCategories } from './category-options.js';
import { Bulk } from './product-bulk.js';
import { LOW } from './product-inline.js';
import { ProductRow } from './product-row.js';

const SHOWS = ['all', 'on', 'off', 'low'] as const;
const LATER_MS = 300;

export function ProductList({ company, place }: { readonly company: string; readonly place: Place }) {
  const query = place.query.get('q') ?? '';
  const show = SHOWS.find((one) => one === place.query.get('show')) ?? 'all';
  const category = place.query.get('category') ?? '';
  const low = Number(place.query.get('low') ?? LOW);
  const path = `/companies/${company}/store/products`;
  const pages = usePages<Product>(
    path,
    {
      query: query === '' ? undefined : query,
      category: category === '' ? undefined : category,
      active: show === 'on' ? 'true' : show === 'off' ? 'false' : undefined,
      stock_at_most: show === 'low' ? low : undefined,
    },
    ({ uuid }) => uuid,
  );
  const categories = useCategories(company);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Product>>(new Map());
  const [said, setSaid] = useState('');
  const filter = (change: Readonly<Record<string, string>>): void => {
    const now = { q: query, show, category, low: String(low), ...change };
    const given = Object.entries(now).filter(([name, value]) => value !== '' && value !== DEFAULTS[name]);
    go(addressOf(company, 'products', null, Object.fromEntries(given)), 'replace');
  };
  const choose = (products: readonly Product[], on: boolean): void =>
    setChosen((before) => {
      const after = new Map(before);
      for (const one of products) {
        if (on) after.set(one.uuid, one);
        else after.delete(one.uuid);
      }
      return after;
    });
  return (
    <>
      <div class="title">
        <h1>{t('nav.products')}</h1>
        <a class="button end" href={addressOf(company, 'products', 'categories')} onClick={follow}>
          {t('products.categories')}
        </a>
        <a
          data-op="importStoreProducts"
          class="button"
          href={addressOf(company, 'products', 'import')}
          onClick={follow}
        >
          {t('products.import')}
        </a>
        <a
          data-op="createCompanyStoreProduct"
          class="button main"
          href={addressOf(company, 'products', 'new')}
          onClick={follow}
        >
          {t('products.create')}
        </a>
      </div>
      <section aria-label={t('nav.products')}>
        <div class="filters" role="search">
          <SearchField query={query} onQuery={(q) => filter({ q })} />
          <label class="field">
            {t('products.show')}
            <select value={show} onChange={({ currentTarget }) => filter({ show: currentTarget.value })}>
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
              onInput={(value) => filter({ low: String(Math.max(0, Math.floor(Number(value) || 0))) })}
            />
          )}
          <label class="field">
            {t('products.category')}
            <select
              value={category}
              onChange={({ currentTarget }) => filter({ category: currentTarget.value })}
            >
              <option value="">{t('form.all')}</option>
              <CategoryOptions categories={categories} />
            </select>
          </label>
        </div>
        {chosen.size > 0 && (
          <Bulk
            company={company}
            products={[...chosen.values()]}
            categories={categories}
            clear={() => setChosen(new Map())}
            onDone={pages.reload}
          />
        )}
        <p class="hidden" role="status">
          {said}
        </p>
        <Listed
          pages={pages}
          empty={
            <p>{t(query === '' && show === 'all' && category === '' ? 'products.empty' : 'products.none')}</p>
          }
        >
          {(rows) => (
            <>
              <p class="quiet">{t('products.inlineHow')}</p>
              <div class="scroll" role="group" tabIndex={0} aria-label={t('nav.products')}>
                <table
                  class="products"
                  style={headsOf([
                    t('products.chooseAll'),
                    null,
                    null,
                    t('products.price'),
                    t('products.stock'),
                  ])}
                >
                  <thead>
                    <tr>
                      <th scope="col">
                        <input
                          type="checkbox"
                          aria-label={t('products.chooseAll')}
                          checked={rows.every(({ uuid }) => chosen.has(uuid))}
                          onChange={({ currentTarget }) => choose(rows, currentTarget.checked)}
                        />
                      </th>
                      <th scope="col" colSpan={2}>
                        {t('products.product')}
                      </th>
                      <th scope="col">{t('products.price')}</th>
                      <th scope="col">{t('products.stock')}</th>
                      <th scope="col">{t('products.state')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((product) => (
                      <ProductRow
                        key={product.uuid}
                        path={path}
                        company={company}
                        product={product}
                        chosen={chosen.has(product.uuid)}
                        choose={(on) => choose([product], on)}
                        onChange={() => {
                          setSaid(t('products.saved', { name: product.name }));
                          pages.reload();
                        }}
                        reload={pages.reload}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )}
        </Listed>
      </section>
    </>
  );
}

const DEFAULTS: Readonly<Record<string, string>> = { show: 'all', low: String(LOW) };

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
