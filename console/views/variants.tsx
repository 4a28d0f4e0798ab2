import { Field, moneyOf, moneyText } from '../field.js';
import type { Product } from '../shapes.js';
import { Table } from '../table.js';
import { t } from '../words.js';
import { unitsOf } from './product-inline.js';

export interface VariantRow {
  /** Null for a new one. */
  readonly uuid: string | null;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string;
  /** Empty: the product's. */
  readonly price: string;
  readonly stock: string;
  readonly active: boolean;
  readonly key: string;
  /** Not shown here, and kept. */
  readonly kept: Readonly<Record<string, unknown>>;
}

const MOST_AXES = 3;

export const axesOf = (product: Product | null): readonly string[] =>
  Object.keys(product?.variants[0]?.options ?? {});

export const variantRows = (product: Product | null): readonly VariantRow[] =>
  (product?.variants ?? []).map(
    ({ uuid, options, sku, price, stock, active, gtin, promo_price, image_url }) => ({
      uuid,
      key: uuid,
      options,
      sku: sku ?? '',
      price: price === product?.price ? '' : moneyText(price),
      stock: stock === null ? '' : String(stock),
      active,
      kept: { gtin, promo_price, image_url },
    }),
  );

export const variantsToWrite = (rows: readonly VariantRow[], axes: readonly string[]): readonly object[] =>
  rows.map(({ uuid, options, sku, price, stock, active, kept }) => ({
    ...kept,
    ...(uuid === null ? {} : { uuid }),
    options: Object.fromEntries(axes.map((axis) => [axis, (options[axis] ?? '').trim()])),
    sku: sku.trim() || null,
    price: price.trim() === '' ? null : moneyOf(price),
    stock: unitsOf(stock.trim()),
    active,
  }));

export function Variants({
  axes,
  rows,
  onAxes,
  onRows,
}: {
  readonly axes: readonly string[];
  readonly rows: readonly VariantRow[];
  readonly onAxes: (axes: readonly string[]) => void;
  readonly onRows: (rows: readonly VariantRow[]) => void;
}) {
  const change = (key: string, fields: Partial<VariantRow>): void =>
    onRows(rows.map((row) => (row.key === key ? { ...row, ...fields } : row)));
  const add = (): void =>
    onRows([
      ...rows,
      {
        uuid: null,
        key: crypto.randomUUID(),
        options: {},
        sku: '',
        price: '',
        stock: '',
        active: true,
        kept: {},
      },
    ]);
  return (
    <fieldset class="wide">
      <legend>{t('variants.title')}</legend>
      <p class="quiet">{t('variants.how')}</p>
      <Field
        label={t('variants.axes')}
        hint={t('variants.axesHow')}
        maxLength={100}
        value={axes.join(',')}
        onInput={(text) =>
          onAxes(
            text
              .split(',')
              .slice(0, MOST_AXES)
              .map((axis) => axis.trimStart()),
          )
        }
      />
      {rows.length > 0 && (
        <div class="variants">
          <Table
            label={t('variants.title')}
            heads={[
              ...axes,
              t('products.price'),
              t('products.stock'),
              t('product.sku'),
              t('product.active'),
              null,
            ]}
          >
            {rows.map((row, index) => {
              const number = index + 1;
              const cell = (name: 'price' | 'stock' | 'sku') => (
                <td>
                  <input
                    aria-label={t(`variants.${name}`, { number })}
                    maxLength={64}
                    value={row[name]}
                    onInput={({ currentTarget }) => change(row.key, { [name]: currentTarget.value })}
                  />
                </td>
              );
              return (
                <tr key={row.key}>
                  {axes.map((axis) => (
                    <td key={axis}>
                      <input
                        aria-label={t('variants.option', { axis, number })}
                        required
                        maxLength={100}
                        value={row.options[axis] ?? ''}
                        onInput={({ currentTarget }) =>
                          change(row.key, { options: { ...row.options, [axis]: currentTarget.value } })
                        }
                      />
                    </td>
                  ))}
                  {cell('price')}
                  {cell('stock')}
                  {cell('sku')}
                  <td>
                    <input
                      type="checkbox"
                      aria-label={t('variants.active', { number })}
                      checked={row.active}
                      onChange={({ currentTarget }) => change(row.key, { active: currentTarget.checked })}
                    />
                  </td>
                  <td>
                    <button
                      type="button"
                      class="plain"
                      aria-label={t('variants.remove', { number })}
                      onClick={() => onRows(rows.filter(({ key }) => key !== row.key))}
                    >
                      {t('form.remove')}
                    </button>
                  </td>
                </tr>
              );
            })}
          </Table>
        </div>
      )}
      <button type="button" disabled={axes.filter((axis) => axis.trim() !== '').length === 0} onClick={add}>
        {t('variants.add')}
      </button>
    </fieldset>
  );
}
