import { useState } from 'preact/hooks';
import { list, send } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import type { Order, OrderStatus } from '../shapes.js';
import { amount, t } from '../words.js';
import { OrderPage } from './order.js';
import { Moves } from './order-moves.js';

const COLUMNS: readonly OrderStatus[] = ['novo', 'confirmado', 'pago', 'entregue', 'cancelado'];
const LOOK_EVERY_MS = 10_000;
/** Of each column: the board is for what is to be done. */
const SHOWN = 50;

export function Orders({ company, place }: { readonly company: string; readonly place: Place }) {
  return place.id === null ? (
    <Board company={company} />
  ) : (
    <OrderPage key={place.id} company={company} uuid={place.id} />
  );
}

/** What is dragged: the browser shows it only when it is dropped. */
let dragged: Order | null = null;

function Board({ company }: { readonly company: string }) {
  const path = `/companies/${company}/store/orders`;
  const loaded = useLoad(
    () => Promise.all(COLUMNS.map((status) => list<Order>(path, { status, limit: SHOWN }))),
    [company],
    LOOK_EVERY_MS,
  );
  const work = useWork();
  const move = (order: Order, status: OrderStatus): void => {
    if (status === 'cancelado' && !confirm(t('orders.cancelSure', { code: order.code }))) return;
    void work.run(() => send('POST', `${path}/${order.uuid}/status`, { status })).then(loaded.reload);
  };
  const noStore = loaded.data === undefined && loaded.error?.status === 404;
  return (
    <>
      <h1>{t('nav.orders')}</h1>
      {work.error !== null && <ErrorBox error={work.error} />}
      {noStore ? (
        <p>{t('orders.noStore')}</p>
      ) : (
        <Shown loaded={loaded}>
          {(pages) => (
            <div class="board" role="group" aria-label={t('orders.board')} tabIndex={0}>
              {COLUMNS.map((status, index) => (
                <Column
                  key={status}
                  status={status}
                  orders={pages[index]?.data ?? []}
                  company={company}
                  busy={work.busy}
                  move={move}
                />
              ))}
            </div>
          )}
        </Shown>
      )}
    </>
  );
}

function Column({
  status,
  orders,
  company,
  busy,
  move,
}: {
  readonly status: OrderStatus;
  readonly orders: readonly Order[];
  readonly company: string;
  readonly busy: boolean;
  readonly move: (order: Order, status: OrderStatus) => void;
}) {
  const [over, setOver] = useState(false);
  const takes = (): boolean => dragged?.allowed_statuses.includes(status) === true;
  return (
    <section
      class={`column ${over ? 'over' : ''}`}
      aria-labelledby={`column-${status}`}
      onDragOver={(event) => {
        if (!takes()) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (dragged !== null && takes()) move(dragged, status);
      }}
    >
      <h2 id={`column-${status}`}>
        {t(`orders.${status}`)} <span class="quiet">{orders.length}</span>
      </h2>
      {orders.length === 0 && <p class="quiet">{t('orders.none')}</p>}
      <ul class="cards">
        {orders.map((order) => (
          <li
            key={order.uuid}
            class="card"
            draggable={order.allowed_statuses.length > 0}
            onDragStart={() => (dragged = order)}
            onDragEnd={() => (dragged = null)}
          >
            <a href={addressOf(company, 'orders', order.uuid)} onClick={follow}>
              {order.code}
            </a>{' '}
            <strong>{amount(order.total)}</strong>
            <p>{order.customer.name ?? order.customer.phone}</p>
            <p class="quiet">
              {t(order.fulfillment.type === 'delivery' ? 'orders.delivery' : 'orders.pickup')}
              {order.created_at && (
                <>
                  {' · '}
                  <Time at={order.created_at} />
                </>
              )}
            </p>
            <Moves order={order} busy={busy} move={move} />
          </li>
        ))}
      </ul>
    </section>
  );
}
