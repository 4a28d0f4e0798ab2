import { send } from '../api.js';
import { useWork } from '../load.js';
import { Badge, ErrorBox } from '../parts.js';
import { Picture } from '../picture.js';
import { addressOf, follow } from '../place.js';
import type { Product } from '../shapes.js';
import { amount, t } from '../words.js';
import { changeProduct, Inline, isLow, unitsOf } from './product-inline.js';

export function ProductRow({
  path,
  company,
  product,
  chosen,
  choose,
  onChange,
  reload,
}: {
  readonly path: string;
  readonly company: string;
  readonly product: Product;
  readonly chosen: boolean;
  readonly choose: (on: boolean) => void;
  readonly onChange: () => void;
  readonly reload: () => void;
}) {
  const { uuid, name, active, variants } = product;
  const work = useWork();
  const change = async (fields: object): Promise<void> => {
    if (await work.run(() => changeProduct(send, path, product, fields))) onChange();
    else reload();
  };
  const several = variants.length > 0;
  return (
    <>
      <tr class={active ? '' : 'off'}>
        <td>
          <input
            type="checkbox"
            aria-label={t('products.choose', { name })}
            checked={chosen}
            onChange={({ currentTarget }) => choose(currentTarget.checked)}
          />
        </td>
        <td class="thumb">
          <Picture url={product.image_urls[0]} name={name} />
        </td>
        <th scope="row">
          <a href={addressOf(company, 'products', uuid)} onClick={follow}>
            {name}
          </a>
          <div class="quiet">{[product.sku, product.category?.name].filter(Boolean).join(' · ')}</div>
        </th>
        <td>
          <Inline
            label={t('products.priceOf', { name })}
            value={product.price}
            money
            save={(price) => change({ price })}
            busy={work.busy}
          />
          {product.promo_active && (
            <div class="quiet">{t('products.promo', { price: amount(product.effective_price) })}</div>
          )}
        </td>
        <td>
          {several ? (
            <a href={addressOf(company, 'products', uuid)} onClick={follow}>
              {t('products.variants', { count: variants.length })}
            </a>
          ) : (
            <Inline
              label={t('products.stockOf', { name })}
              value={product.stock === null ? '' : String(product.stock)}
              placeholder={t('products.untracked')}
              save={(stock) => change({ stock: unitsOf(stock) })}
              busy={work.busy}
            />
          )}
          <Shortage product={product} />
        </td>
        <td>
          <Badge kind={active ? 'good' : 'plain'}>{t(active ? 'products.onSale' : 'products.off')}</Badge>{' '}
          <button
            data-op="changeCompanyStoreProduct"
            type="button"
            class="plain"
            disabled={work.busy}
            onClick={() => void change({ active: !active })}
          >
            {t(active ? 'products.turnOff' : 'products.turnOn')}
            <span class="hidden"> {name}</span>
          </button>
        </td>
      </tr>
      {work.error !== null && (
        <tr>
          <td colSpan={6}>
            {work.error.status === 412 ? (
              <p role="alert" class="bad">
                {t('products.conflict')}
              </p>
            ) : (
              <ErrorBox error={work.error} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}

function Shortage({ product }: { readonly product: Product }) {
  if (!product.in_stock) return <Badge kind="bad">{t('products.out')}</Badge>;
  return isLow(product) ? <Badge kind="warn">{t('products.low')}</Badge> : null;
}
