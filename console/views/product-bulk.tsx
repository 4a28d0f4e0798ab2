import { useState } from 'preact/hooks';
import { send } from '../api.js';
import { Field } from '../field.js';
import { asApiError } from '../load.js';
import { Badge } from '../parts.js';
import type { Category, Product } from '../shapes.js';
import { t } from '../words.js';
import { changeProduct } from './product-inline.js';
import { CategoryOptions } from './category-options.js';

const CHANGES = ['on', 'off', 'price', 'category'] as const;
type Change = (typeof CHANGES)[number];

interface Result {
  readonly product: Product;
  /** Null: it was changed. */
  readonly problem: string | null;
}

/** Prices in whole cents; the variants' own prices move with the product's. */
export function percentOf(price: string, percent: number): string {
  return (Math.round(Number(price) * (100 + percent)) / 100).toFixed(2);
}

function fieldsOf(product: Product, change: Change, value: string): object {
  if (change === 'on' || change === 'off') return { active: change === 'on' };
  if (change === 'category') return { category_uuid: value === '' ? null : value };
  const percent = Number(value.replace(',', '.'));
  return { price: percentOf(product.price, percent) };
}

/** One change for many products, one call for each, so that every product has its own outcome. */
export function Bulk({
  company,
  products,
  categories,
  clear,
  onDone,
}: {
  readonly company: string;
  readonly products: readonly Product[];
  readonly categories: readonly Category[];
  readonly clear: () => void;
  readonly onDone: () => void;
}) {
  const [change, setChange] = useState<Change | ''>('');
  const [value, setValue] = useState('');
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const [running, setRunning] = useState(false);
  const percent = Number(value.replace(',', '.'));
  const ready =
    change !== '' &&
    (change !== 'price' || (value !== '' && percent > -100 && percent <= 1000 && percent !== 0));
  const run = async (): Promise<void> => {
    if (change === '') return;
    setRunning(true);
    const made: Result[] = [];
    for (const product of products) {
      const problem = await changeProduct(
        send,
        `/companies/${company}/store/products`,
        product,
        fieldsOf(product, change, value),
      ).then(
        () => null,
        (error: unknown) => {
          const failed = asApiError(error);
          return failed.status === 412 ? t('products.conflict') : failed.message;
        },
      );
      made.push({ product, problem });
      setResults([...made]);
    }
    setRunning(false);
    onDone();
  };
  const failed = results?.filter(({ problem }) => problem !== null).length ?? 0;
  return (
    <div class="chosen" role="region" aria-label={t('bulk.what')}>
      <strong>{t('products.chosen', { count: products.length })}</strong>
      {results === null ? (
        <>
          <label class="field">
            <span class="hidden">{t('bulk.what')}</span>
            <select
              aria-label={t('bulk.what')}
              value={change}
              onChange={({ currentTarget }) => {
                setChange(currentTarget.value as Change | '');
                setValue('');
              }}
            >
              <option value="">{t('bulk.pick')}</option>
              {CHANGES.map((one) => (
                <option key={one} value={one}>
                  {t(`bulk.${one}`)}
                </option>
              ))}
            </select>
          </label>
          {change === 'price' && (
            <Field
              label={t('bulk.percent')}
              inputMode="decimal"
              maxLength={8}
              value={value}
              onInput={setValue}
            />
          )}
          {change === 'category' && (
            <label class="field">
              {t('products.category')}
              <select value={value} onChange={({ currentTarget }) => setValue(currentTarget.value)}>
                <option value="">{t('products.noCategory')}</option>
                <CategoryOptions categories={categories} />
              </select>
            </label>
          )}
          <button type="button" class="main" disabled={!ready} onClick={() => void run()}>
            {t('bulk.run', { count: products.length })}
          </button>
          <button type="button" class="plain" onClick={clear}>
            {t('form.cancel')}
          </button>
        </>
      ) : (
        <div class="outcomes">
          <p role="status">
            {running
              ? t('bulk.progress', { done: results.length, all: products.length })
              : t('bulk.sum', { done: results.length - failed, failed })}
          </p>
          <ul aria-label={t('bulk.results')}>
            {results.map(({ product, problem }) => (
              <li key={product.uuid}>
                <Badge kind={problem === null ? 'good' : 'bad'}>
                  {t(problem === null ? 'bulk.done' : 'bulk.failed')}
                </Badge>{' '}
                {product.name}
                {problem !== null && <span class="quiet"> {problem}</span>}
              </li>
            ))}
          </ul>
          <button type="button" disabled={running} onClick={clear}>
            OK
          </button>
        </div>
      )}
    </div>
  );
}
