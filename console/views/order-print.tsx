import { get } from '../api.js';
import { useLoad } from '../load.js';
import { Shown } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import type { Order } from '../shapes.js';
import { fullTime, t } from '../words.js';
import { Items, OrderFacts } from './order.js';

const UUID = /^[0-9a-f-]{36}$/;
const AT_MOST = 100;

interface Picked {
  readonly name: string;
  readonly variant: string | null;
  readonly sku: string | null;
  readonly quantity: number;
  readonly codes: readonly string[];
}

/** What to fetch from the shelves for all these orders, by name. */
export function pickList(orders: readonly Pick<Order, 'code' | 'items'>[]): readonly Picked[] {
  const picks = new Map<string, Picked>();
  for (const { code, items } of orders) {
    for (const { name, variant_name: variant, sku = null, quantity } of items) {
      const key = JSON.stringify([name, variant, sku]);
      const before = picks.get(key) ?? { name, variant, sku, quantity: 0, codes: [] };
      picks.set(key, {
        ...before,
        quantity: before.quantity + quantity,
        codes: [...before.codes, `${code} (${quantity})`],
      });
    }
  }
  return [...picks.values()].sort((a, b) => a.name.localeCompare(b.name));
}

export function PrintOrders({ company, place }: { readonly company: string; readonly place: Place }) {
  const asked = place.query.get('orders') ?? '';
  const uuids = asked
    .split(',')
    .filter((uuid) => UUID.test(uuid))
    .slice(0, AT_MOST);
  const loaded = useLoad(
    () => Promise.all(uuids.map((uuid) => get<Order>(`/companies/${company}/store/orders/${uuid}`))),
    [company, asked],
  );
  return (
    <>
      <div class="title not-printed">
        <a href={addressOf(company, 'orders')} onClick={follow}>
          ‹ {t('orders.back')}
        </a>
        <button type="button" class="main end" onClick={() => print()}>
          {t('orders.printNow')}
        </button>
      </div>
      <Shown loaded={loaded}>
        {(orders) =>
          orders.length === 0 ? (
            <p>{t('orders.printNone')}</p>
          ) : (
            <div class="sheets">
              {orders.length > 1 && <PickSheet orders={orders} />}
              {orders.map((order) => (
                <article key={order.uuid} class="sheet" aria-label={order.code}>
                  <h1>{t('orders.order', { code: order.code })}</h1>
                  <p class="quiet">{order.created_at !== null && fullTime(order.created_at)}</p>
                  <OrderFacts order={order} />
                  <Items order={order} />
                </article>
              ))}
            </div>
          )
        }
      </Shown>
    </>
  );
}

function PickSheet({ orders }: { readonly orders: readonly Order[] }) {
  return (
    <section class="sheet" aria-labelledby="picks">
      <h1 id="picks">{t('orders.pickList')}</h1>
      <p class="quiet">{t('orders.pickFor', { codes: orders.map(({ code }) => code).join(', ') })}</p>
      <table>
        <tbody>
          {pickList(orders).map(({ name, variant, sku, quantity, codes }) => (
            <tr key={`${name} ${variant} ${sku}`}>
              <td>
                <span class="tick" role="img" aria-label={t('orders.picked')} />
              </td>
              <td class="number">
                <strong>{quantity} ×</strong>
              </td>
              <th scope="row">
                {name} {variant && <span class="quiet">{variant}</span>}
                {sku && <div class="quiet">{sku}</div>}
              </th>
              <td class="quiet">{codes.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
