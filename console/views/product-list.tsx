import { useState } from 'preact/hooks';
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { addressOf, follow, type Place } from '../place.js';
import type { Product } from '../shapes.js';
import { headsOf } from '../table.js';
import { t } from '../words.js';
import { useCategories } from './category-options.js';
import { Bulk } from './product-bulk.js';
import { productFilterOf, ProductFilters, queryOf } from './product-filters.js';
import { ProductRow } from './product-row.js';

export function ProductList({ company, place }: { readonly company: string; readonly place: Place }) {
  const filter = productFilterOf(place.query);
  const path = `/companies/${company}/store/products`;
  const pages = usePages<Product>(path, queryOf(filter), ({ uuid }) => uuid);
  const categories = useCategories(company);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Product>>(new Map());
  const [said, setSaid] = useState('');
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
      <Title company={company} />
      <section aria-label={t('nav.products')}>
        <ProductFilters company={company} filter={filter} categories={categories} />
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
            <p>
              {t(
                filter.q === '' && filter.show === 'all' && filter.category === ''
                  ? 'products.empty'
                  : 'products.none',
              )}
            </p>
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
                  <Heads
                    all={rows.every(({ uuid }) => chosen.has(uuid))}
                    chooseAll={(on) => choose(rows, on)}
                  />
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

function Title({ company }: { readonly company: string }) {
  return (
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
  );
}

function Heads({ all, chooseAll }: { readonly all: boolean; readonly chooseAll: (on: boolean) => void }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <input
            type="checkbox"
            aria-label={t('products.chooseAll')}
            checked={all}
            onChange={({ currentTarget }) => chooseAll(currentTarget.checked)}
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
  );
}
