import { useRef, useState } from 'preact/hooks';
import { get, send } from '../api.js';
import { useAsk } from '../ask.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { Picture } from '../picture.js';
import { addressOf, follow } from '../place.js';
import { usePhotos } from '../product-photos.js';
import type { Product } from '../shapes.js';
import { t } from '../words.js';
import { ProductFields } from './product-fields.js';
import { changeProduct } from './product-inline.js';
import { ProductPhotos } from './product-photos.js';
import { badPhoto, changed, fieldError, valuesOf, writeOf, type Values } from './product-values.js';
import { axesOf, Variants, variantRows } from './variants.js';

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
  return (
    <section aria-labelledby="product">
      <Title product={product} />
      <form
        data-op="changeCompanyStoreProduct"
        class="grid"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ProductPhotos photos={photos} badUrl={bad} />
        <ProductFields
          company={company}
          values={values}
          set={set}
          errorOf={(name) => fieldError(work.error, name)}
          hasVariants={rows.length > 0}
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

function Title({ product }: { readonly product: Product | null }) {
  return (
    <div class="title">
      {product !== null && <Picture url={product.image_urls[0]} name={product.name} />}
      <h1 id="product">{product?.name ?? t('products.create')}</h1>
      {product?.public_url && (
        <a class="end" href={product.public_url} target="_blank" rel="noreferrer">
          {t('product.public')}
        </a>
      )}
    </div>
  );
}
