import { useRef, useState } from 'preact/hooks';
import { get, send, type ApiError } from '../api.js';
import { useAsk } from '../ask.js';
import { Field, moneyOf, moneyText } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { Picture } from '../picture.js';
import { usePhotos, type Photo } from '../product-photos.js';
import { addressOf, follow } from '../place.js';
import type { Product } from '../shapes.js';
import { t } from '../words.js';
import { ProductPhotos } from './product-photos.js';
import { changeProduct, unitsOf } from './product-inline.js';
import { CategoryOptions, useCategories } from './category-options.js';
import { axesOf, Variants, variantRows, variantsToWrite, type VariantRow } from './variants.js';

export function ProductPage({ company, uuid }: { readonly company: string; readonly uuid: string | null }) {
  const path = `/companies/${company}/store/products`;
  const loaded = useLoad(
    () => (uuid === null ? Promise.resolve(null) : get<Product>(`${path}/${uuid}`)),
    [uuid],
  );
  const [said, setSaid] = useState('');
  /** As the last change left it: it needs no reading, during which somebody would go on writing in the old form. */
  const [latest, setLatest] = useState<Product | null>(null);
  return (
    <>
      <a class="back-link" href={addressOf(company, 'products')} onClick={follow}>
        ‹ {t('products.back')}
      </a>
      <Shown loaded={loaded}>
        {(read) => {
          const product = latest !== null && latest.version > (read?.version ?? 0) ? latest : read;
          // A newer version is a new form: what was typed stands on an older state.
          return (
            <Form
              key={product?.version ?? 0}
              company={company}
              path={path}
              product={product}
              said={said}
              say={setSaid}
              reload={loaded.reload}
              onChanged={setLatest}
            />
          );
        }}
      </Shown>
    </>
  );
}

type Values = Record<
  'name' | 'price' | 'promo_price' | 'promo_ends_at' | 'description' | 'sku' | 'gtin' | 'stock' | 'category',
  string
>;

const valuesOf = (product: Product | null): Values => ({
  name: product?.name ?? '',
  price: moneyText(product?.price),
  promo_price: moneyText(product?.promo_price),
  promo_ends_at: localTime(product?.promo_ends_at ?? null),
  description: product?.description ?? '',
  sku: product?.sku ?? '',
  gtin: product?.gtin ?? '',
  stock: product?.stock === null || product === null ? '' : String(product.stock),
  category: product?.category_uuid ?? '',
});

/** For an input of the type `datetime-local`. */
function localTime(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const orNull = (text: string): string | null => text.trim() || null;

/** Only what differs is sent, so that what this form does not show stays as it is. */
function changed(before: object, after: object): object {
  const was = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(was[name]) !== JSON.stringify(value)),
  );
}

function writeOf(
  values: Values,
  photos: readonly Photo[],
  active: boolean,
  rows: readonly VariantRow[],
  axes: readonly string[],
) {
  return {
    name: values.name.trim(),
    price: moneyOf(values.price),
    promo_price: values.promo_price.trim() === '' ? null : moneyOf(values.promo_price),
    promo_ends_at: values.promo_ends_at === '' ? null : new Date(values.promo_ends_at).toISOString(),
    description: orNull(values.description),
    sku: orNull(values.sku),
    gtin: orNull(values.gtin),
    category_uuid: orNull(values.category),
    image_urls: photos.map(({ url }) => url),
    active,
    ...(rows.length > 0
      ? { variants: variantsToWrite(rows, axes, photos) }
      : { stock: unitsOf(values.stock.trim()) }),
  };
}

function Form({
  company,
  path,
  product,
  said,
  say,
  reload,
  onChanged,
}: {
  readonly company: string;
  readonly path: string;
  readonly product: Product | null;
  /** What happened last, in words. */
  readonly said: string;
  readonly say: (said: string) => void;
  readonly reload: () => void;
  readonly onChanged: (product: Product) => void;
}) {
  const [values, setValues] = useState(() => valuesOf(product));
  const [active, setActive] = useState(product?.active ?? true);
  const [axes, setAxes] = useState(() => axesOf(product));
  const [rows, setRows] = useState(() => variantRows(product));
  /** Photos of the last attempt, in the order in which the API names them. */
  const sent = useRef<readonly string[]>([]);
  const key = useRef<string>(crypto.randomUUID());
  const work = useWork();
  const categories = useCategories(company);
  const [ask, question] = useAsk();
  const set = (name: keyof Values) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  const photos = usePhotos(company, product?.image_urls ?? []);
  const before = useRef(writeOf(values, photos.shown, active, rows, axes));
  const save = async (): Promise<void> => {
    const removed = rows.length === 0 && (product?.variants.length ?? 0) > 0 ? { variants: [] } : {};
    say('');
    await work.run(async () => {
      const uploaded = await photos.uploaded();
      sent.current = uploaded.map(({ url }) => url);
      const after = writeOf(values, uploaded, active, rows, axes);
      if (product === null) {
        const made = await send<Product>('POST', path, after, { 'idempotency-key': key.current });
        work.go(addressOf(company, 'products', made.uuid), 'replace');
        return;
      }
      onChanged(await changeProduct(send, path, product, { ...changed(before.current, after), ...removed }));
      say(t('form.saved'));
    });
  };
  const remove = async (): Promise<void> => {
    if (product === null) return;
    const { name, uuid, version } = product;
    const sure = await ask({
      title: t('product.deleteTitle', { name }),
      text: t('product.deleteSure'),
      yes: t('product.deleteYes'),
    });
    if (sure === null) return;
    await work.run(async () => {
      await send('DELETE', `${path}/${uuid}`, undefined, { 'if-match': `"${version}"` });
      work.go(addressOf(company, 'products'));
    });
  };
  const bad = sent.current[badPhoto(work.error) ?? -1] ?? null;
  const errorOf = (field: string): string | undefined => fieldError(work.error, field);
  return (
    <section aria-labelledby="product">
      <div class="title">
        {product !== null && <Picture url={product.image_urls[0]} name={product.name} />}
        <h1 id="product">{product?.name ?? t('products.create')}</h1>
        {product?.public_url && (
          <a class="end" href={product.public_url} target="_blank" rel="noreferrer">
            {t('product.public')}
          </a>
        )}
      </div>
      <form
        data-op="changeCompanyStoreProduct"
        class="grid"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ProductPhotos photos={photos} badUrl={bad} />
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
          hint={t(rows.length > 0 ? 'product.stockVariants' : 'product.stockHow')}
          inputMode="numeric"
          maxLength={7}
          disabled={rows.length > 0}
          value={rows.length > 0 ? '' : values.stock}
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
        <Variants axes={axes} rows={rows} photos={photos.shown} onAxes={setAxes} onRows={setRows} />
        <label class="check wide">
          <input
            type="checkbox"
            checked={active}
            onChange={({ currentTarget }) => setActive(currentTarget.checked)}
          />
          {t('product.active')}
        </label>
        {work.error?.status === 412 ? (
          <p role="alert" class="bad wide">
            {t('products.conflict')}{' '}
            <button type="button" onClick={reload}>
              {t('error.retry')}
            </button>
          </p>
        ) : (
          work.error !== null && bad === null && <ErrorBox error={work.error} />
        )}
        <div class="actions wide">
          <button type="submit" class="main" disabled={work.busy}>
            {t(work.busy ? 'form.saving' : 'form.save')}
          </button>
          <span role="status">{said}</span>
          {product !== null && (
            <button
              data-op="deleteCompanyStoreProduct"
              type="button"
              class="danger end"
              disabled={work.busy}
              onClick={() => void remove()}
            >
              {t('product.delete')}
            </button>
          )}
        </div>
      </form>
      {question}
    </section>
  );
}

/** The API names the field of a refused product. */
function fieldError(error: ApiError | null, field: string): string | undefined {
  if (error === null) return undefined;
  return error.details['field'] === field
    ? error.message
    : error.fields.find(({ path }) => path === field)?.message;
}

/** The place of the photo that the API refused. */
function badPhoto(error: ApiError | null): number | null {
  const field = error?.details['field'];
  const [, index] = /^image_urls\[(\d+)\]$/.exec(typeof field === 'string' ? field : '') ?? [];
  return index === undefined ? null : Number(index);
}
