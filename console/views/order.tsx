import { get, send } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Order, OrderStatus } from '../shapes.js';
import { amount, t } from '../words.js';
import { Moves } from './order-moves.js';

const LOOK_EVERY_MS = 10_000;

export function OrderPage({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const path = `/companies/${company}/store/orders/${uuid}`;
  const loaded = useLoad(() => get<Order>(path), [uuid], LOOK_EVERY_MS);
  const work = useWork();
  const move = (order: Order, status: OrderStatus): void => {
    if (status === 'cancelado' && !confirm(t('orders.cancelSure', { code: order.code }))) return;
    void work.run(() => send('POST', `${path}/status`, { status })).then(loaded.reload);
  };
  return (
    <article class="order">
      <a class="back" href={addressOf(company, 'orders')} onClick={follow}>
        ‹ {t('orders.back')}
      </a>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Shown loaded={loaded}>
        {(order) => (
          <>
            <h1>{t('orders.order', { code: order.code })}</h1>
            <p>
              <strong>{t(`orders.${order.status}`)}</strong> · {amount(order.total)} · {order.customer.name}{' '}
              {order.customer.phone}
            </p>
            <Moves order={order} busy={work.busy} move={move} />
            {order.conversation_uuid !== null && (
              <p>
                <a
                  href={addressOf(company, 'inbox', order.conversation_uuid, { status: 'all' })}
                  onClick={follow}
                >
                  {t('orders.conversation')}
                </a>
              </p>
            )}
            <Items order={order} />
            <Facts order={order} />
            <h2>{t('orders.history')}</h2>
            <ol class="history">
              {order.status_history.map(({ status, at }) => (
                <li key={`${status} ${at}`}>
                  {t(`orders.${status}`)} · <Time at={at} />
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </article>
  );
}

const Items = ({ order }: { readonly order: Order }) => (
  <>
    <h2 id="items">{t('orders.items')}</h2>
    <table aria-labelledby="items">
      <tbody>
        {order.items.map((item) => (
          <tr key={item.uuid}>
            <td>{item.quantity} ×</td>
            <th scope="row">
              {item.name} <span class="quiet">{item.variant_name}</span>
              {item.note && <p>{item.note}</p>}
            </th>
            <td class="number">{amount(item.total)}</td>
          </tr>
        ))}
        <tr>
          <td />
          <th scope="row">{t('orders.total')}</th>
          <td class="number">
            <strong>{amount(order.total)}</strong>
          </td>
        </tr>
      </tbody>
    </table>
  </>
);

function Facts({ order }: { readonly order: Order }) {
  const { fulfillment, payment, note } = order;
  const { address } = fulfillment;
  const lines =
    address === null
      ? [fulfillment.pickup_location]
      : [
          [address.street, address.number, address.complement].filter(Boolean).join(', '),
          [address.district, address.city, address.state].filter(Boolean).join(', '),
          address.zipcode,
        ];
  return (
    <dl class="facts">
      <div>
        <dt>{t(fulfillment.type === 'delivery' ? 'orders.delivery' : 'orders.pickup')}</dt>
        <dd>
          {lines.filter(Boolean).map((line) => (
            <div key={line}>{line}</div>
          ))}
        </dd>
      </div>
      <div>
        <dt>{t('orders.payment')}</dt>
        <dd>{payment.method ?? '–'}</dd>
      </div>
      {note !== null && (
        <div>
          <dt>{t('orders.noteOf')}</dt>
          <dd class="text">{note}</dd>
        </div>
      )}
    </dl>
  );
}
