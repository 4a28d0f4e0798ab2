import { Field, moneyOf, moneyText } from '../field.js';
import { Picture } from '../picture.js';
import type { Photo } from '../product-photos.js';
import type { Product } from '../shapes.js';
import { Table } from '../table.js';
import { t } from '../words.js';
import { Thumb } from './attach.js';
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
  /** Key or address of one of the product's photos, or another address; empty: the product's main one. */
  readonly photo: string;
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
      photo: image_url ?? '',
      kept: { gtin, promo_price },
    }),
  );

const photoOf = (photo: string, photos: readonly Photo[]): Photo | undefined =>
  photo === '' ? undefined : photos.find(({ key, url }) => key === photo || url === photo);

/** Null: the product's main photo, which also takes the place of one that was removed. */
function photoUrl(photo: string, photos: readonly Photo[]): string | null {
  const url = photoOf(photo, photos)?.url ?? photo;
  return URL.canParse(url) ? url : null;
}

/** @param photos of the product, all of them uploaded */
export const variantsToWrite = (
  rows: readonly VariantRow[],
  axes: readonly string[],
  photos: readonly Photo[],
): readonly object[] =>
  rows.map(({ uuid, options, sku, price, stock, active, photo, kept }) => ({
    ...kept,
    ...(uuid === null ? {} : { uuid }),
    options: Object.fromEntries(axes.map((axis) => [axis, (options[axis] ?? '').trim()])),
    sku: sku.trim() || null,
    price: price.trim() === '' ? null : moneyOf(price),
    stock: unitsOf(stock.trim()),
    active,
    image_url: photoUrl(photo, photos),
  }));

export function Variants({
  axes,
  rows,
  photos,
  onAxes,
  onRows,
}: {
  readonly axes: readonly string[];
  readonly rows: readonly VariantRow[];
  readonly photos: readonly Photo[];
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
        photo: '',
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
              t('variants.photoHead'),
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
                    <PhotoChoice
                      label={t('variants.photo', { number })}
                      photo={row.photo}
                      photos={photos}
                      onChoose={(photo) => change(row.key, { photo })}
                    />
                  </td>
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

/** A variant shows one of the product's photos: where there are none, there is nothing to choose. */
function PhotoChoice({
  label,
  photo,
  photos,
  onChoose,
}: {
  readonly label: string;
  readonly photo: string;
  readonly photos: readonly Photo[];
  readonly onChoose: (photo: string) => void;
}) {
  const chosen = photoOf(photo, photos);
  const isElsewhere = chosen === undefined && URL.canParse(photo);
  return (
    <span class="photo-choice">
      {chosen?.bytes ? (
        <Thumb bytes={chosen.bytes} side={44} />
      ) : (
        (chosen !== undefined || isElsewhere) && <Picture url={chosen?.url ?? photo} name={label} />
      )}
      <select
        aria-label={label}
        value={chosen?.key ?? (isElsewhere ? photo : '')}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        <option value="">{t('variants.photoMain')}</option>
        {photos.map(({ key }, index) => (
          <option key={key} value={key}>
            {t('variants.photoOf', { number: index + 1 })}
          </option>
        ))}
        {isElsewhere && <option value={photo}>{t('variants.photoOther')}</option>}
      </select>
    </span>
  );
}
