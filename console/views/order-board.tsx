import { useRef, useState } from 'preact/hooks';
import { get, type Schemas } from '../api.js';
import { chimeIsOn, switchChime } from '../chime.js';
import { Listed } from '../listed.js';
import { useLoad } from '../load.js';
import { useIsFresh } from '../new-orders.js';
import { usePages, type Pages } from '../pages.js';
import { Ago, Badge, ErrorBox } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { useMay } from '../session.js';
import type { Order, OrderStatus } from '../shapes.js';
import { amount, shortTime, t } from '../words.js';
import { buyer, fulfillmentOf, glance, paymentOf } from './order-line.js';
import { useMove } from './order-move.js';
import { Moves } from './order-moves.js';

const COLUMNS: readonly OrderStatus[] = ['novo', 'confirmado', 'pago', 'entregue', 'cancelado'];
/** Of each column: the board is for what is to be done. */
const SHOWN = 30;
/** A new order that waits this long is marked. */
const LATE_MS = 30 * 60_000;

type Settings = Schemas['StoreSettings'];
type Reloads = Partial<Record<OrderStatus, Pages<Order>>>;

/** What is dragged: the browser shows it only when it is dropped. */
let dragged: Order | null = null;

export function Board({ company }: { readonly company: string; readonly place: Place }) {
  const store = useLoad(() => get<Settings>(`/companies/${company}/store`), [company], ['store', 'order']);
  const columns = useRef<Reloads>({});
  const [said, setSaid] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { move, work, question } = useMove(company, (order) => {
    setSaid(t('orders.moved', { code: order.code, status: t(`orders.is.${order.status}`) }));
    for (const pages of Object.values(columns.current)) {
      pages.forget(order.uuid);
      pages.reload();
    }
    store.reload();
  });
  if (store.data === undefined && store.error?.status === 404)
    return (
      <>
        <h1>{t('nav.orders')}</h1>
        <p>{t('orders.noStore')}</p>
        <a class="button" href={addressOf(company, 'shop')} onClick={follow}>
          {t('orders.openStore')}
        </a>
      </>
    );
  return (
    <>
      <div class="title">
        <h1>{t('nav.orders')}</h1>
        <Sound />
        <a
          data-op="placeCompanyOrder"
          class="button main"
          href={addressOf(company, 'orders', 'new')}
          onClick={follow}
        >
          {t('orders.create')}
        </a>
      </div>
      <p class="hidden" role="status">
        {said}
      </p>
      {work.error !== null && <ErrorBox error={work.error} />}
      {chosen.size > 0 && (
        <div class="chosen" role="region" aria-label={t('orders.print')}>
          <span>{t('orders.choosing', { count: chosen.size })}</span>
          <a
            class="button"
            href={addressOf(company, 'orders', 'print', { orders: [...chosen].join(',') })}
            onClick={follow}
          >
            {t('orders.printThese', { count: chosen.size })}
          </a>
          <button type="button" class="plain" onClick={() => setChosen(new Set())}>
            {t('orders.clear')}
          </button>
        </div>
      )}
      <div class="board" role="group" aria-label={t('orders.board')} tabIndex={0}>
        {COLUMNS.map((status) => (
          <Column
            key={status}
            status={status}
            total={store.data?.orders_by_status[status]}
            company={company}
            busy={work.busy}
            move={move}
            chosen={chosen}
            choose={(uuid) => setChosen((before) => toggled(before, uuid))}
            known={(pages) => (columns.current[status] = pages)}
          />
        ))}
      </div>
      {question}
    </>
  );
}

function toggled(before: ReadonlySet<string>, uuid: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(uuid)) after.add(uuid);
  return after;
}

function Sound() {
  const [on, setOn] = useState(chimeIsOn);
  return (
    <button type="button" aria-pressed={on} class="sound" onClick={() => setOn(switchChime())}>
      <span aria-hidden="true">{on ? '♪' : '∅'}</span> {t(on ? 'orders.soundOn' : 'orders.soundOff')}
    </button>
  );
}

interface ColumnProps {
  readonly status: OrderStatus;
  /** In all, as the store counts them. */
  readonly total: number | undefined;
  readonly company: string;
  readonly busy: boolean;
  readonly move: (order: Order, status: OrderStatus) => void;
  readonly chosen: ReadonlySet<string>;
  readonly choose: (uuid: string) => void;
  readonly known: (pages: Pages<Order>) => void;
}

function Column({ status, total, company, known, move, ...more }: ColumnProps) {
  const pages = usePages<Order>(
    `/companies/${company}/store/orders`,
    { status },
    ({ uuid }) => uuid,
    ['order'],
    SHOWN,
  );
  known(pages);
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
        {t(`orders.${status}`)} <span class="quiet">{total ?? pages.rows?.length}</span>
      </h2>
      <Listed pages={pages} empty={<p class="quiet">{t('orders.none')}</p>}>
        {(rows) => (
          <ul class="cards">
            {rows.map((order) => (
              <Card key={order.uuid} order={order} company={company} move={move} {...more} />
            ))}
          </ul>
        )}
      </Listed>
    </section>
  );
}

function Card({
  order,
  company,
  busy,
  move,
  chosen,
  choose,
}: Omit<ColumnProps, 'status' | 'total' | 'known'> & { readonly order: Order }) {
  const { uuid, code, status, created_at: at, hold_until: hold } = order;
  const fresh = useIsFresh(uuid);
  const mayMove = useMay('moveCompanyOrder');
  const open = mayMove && order.allowed_statuses.length > 0;
  const late = status === 'novo' && at !== null && Date.now() - Date.parse(at) > LATE_MS;
  return (
    <li
      class="card"
      draggable={open}
      onDragStart={() => (dragged = order)}
      onDragEnd={() => (dragged = null)}
    >
      <div class="line">
        <input
          type="checkbox"
          aria-label={t('orders.choose', { code })}
          title={t('orders.choose', { code })}
          checked={chosen.has(uuid)}
          onChange={() => choose(uuid)}
        />
        <a href={addressOf(company, 'orders', uuid)} onClick={follow}>
          {code}
        </a>
        {fresh && <Badge kind="good">{t('orders.fresh')}</Badge>}
        <strong class="end">{amount(order.total)}</strong>
      </div>
      <p class="who">{buyer(order)}</p>
      <p class="glance">{glance(order)}</p>
      <p class="quiet">
        {fulfillmentOf(order)} · {paymentOf(order)}
        {at !== null && (
          <>
            {' · '}
            {late ? (
              <Badge kind="warn">
                <Ago at={at} />
              </Badge>
            ) : (
              <Ago at={at} />
            )}
          </>
        )}
      </p>
      {open && hold !== null && (status === 'novo' || status === 'confirmado') && (
        <p class="quiet">{t('orders.holdUntil', { at: shortTime(hold) })}</p>
      )}
      <Moves order={order} busy={busy} move={move} />
    </li>
  );
}
