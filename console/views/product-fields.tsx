import { Field } from '../field.js';
import { t } from '../words.js';
import { CategoryOptions, useCategories } from './category-options.js';
import type { Values } from './product-values.js';

/** What a product has one of: its texts, its prices, its stock and its category. */
export function ProductFields({
  company,
  values,
  set,
  errorOf,
  hasVariants,
}: {
  readonly company: string;
  readonly values: Values;
  readonly set: (name: keyof Values) => (value: string) => void;
  readonly errorOf: (name: keyof Values) => string | undefined;
  /** Then each of them has a stock, and the product has none. */
  readonly hasVariants: boolean;
}) {
  const categories = useCategories(company);
  return (
    <>
      <Field
        label={t('product.name')}
        required
        maxLength={200}
        value={values.name}
        onInput={set('name')}
        error={errorOf('name')}
      />
      <label class="field">
        {t('products.category')}
        <select
          value={values.category}
          onChange={({ currentTarget }) => set('category')(currentTarget.value)}
        >
          <option value="">{t('products.noCategory')}</option>
          <CategoryOptions categories={categories} />
        </select>
      </label>
      <Field
        label={t('product.price')}
        required
        inputMode="decimal"
        maxLength={16}
        value={values.price}
        onInput={set('price')}
        error={errorOf('price')}
      />
      <Field
        label={t('product.promo')}
        inputMode="decimal"
        maxLength={16}
        value={values.promo_price}
        onInput={set('promo_price')}
        error={errorOf('promo_price')}
      />
      <Field
        label={t('product.promoEnds')}
        type="datetime-local"
        value={values.promo_ends_at}
        onInput={set('promo_ends_at')}
        error={errorOf('promo_ends_at')}
      />
      <Field
        label={t('product.stock')}
        hint={t(hasVariants ? 'product.stockVariants' : 'product.stockHow')}
        inputMode="numeric"
        maxLength={7}
        disabled={hasVariants}
        value={hasVariants ? '' : values.stock}
        onInput={set('stock')}
        error={errorOf('stock')}
      />
      <Field label={t('product.sku')} maxLength={64} value={values.sku} onInput={set('sku')} />
      <Field
        label={t('product.gtin')}
        inputMode="numeric"
        maxLength={14}
        value={values.gtin}
        onInput={set('gtin')}
        error={errorOf('gtin')}
      />
      <Field
        wide
        rows={4}
        label={t('product.description')}
        maxLength={5000}
        value={values.description}
        onInput={set('description')}
      />
    </>
  );
}
