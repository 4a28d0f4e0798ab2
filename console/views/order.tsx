import { useEffect } from 'preact/hooks';
import { get } from '../api.js';
import { useLoad } from '../load.js';
import { sawOrder } from '../new-orders.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { Picture } from '../picture.js';
import { addressOf, follow } from '../place.js';
import type { Order } from '../shapes.js';
import { amount, fullTime, named, t } from '../words.js';
import { buyer, fulfillmentOf, paymentOf, placeLines } from './order-line.js';
import { useMove } from './order-move.js';
import { Moves } from './order-moves.js';
import { Reveal } from './reveal.js';
import { Thread } from './thread.js';

const KINDS = {
  novo: 'warn',
  confirmado: 'good',
  pago: 'good',
  entregue: 'plain',
  cancelado: 'bad',
} as const;

export function OrderPage({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const path = `/companies/${company}/store/orders/${uuid}`;
  const loaded = useLoad(() => get<Order>(path), [uuid], { kinds: ['order'], uuid });
  useEffect(() => sawOrder(uuid), [uuid]);
  return (
    <>
      <a class="back-link" href={addressOf(company, 'orders')} onClick={follow}>
        ‹ {t('orders.back')}
      </a>
      <Shown loaded={loaded}>
        {(order) => (
          <div class="order-page">
            <Facts order={order} company={company} reload={loaded.reload} />
            <Talk order={order} company={company} />
          </div>
        )}
      </Shown>
    </>
  );
}

function Facts({
  order,
  company,
  reload,
}: {
  readonly order: Order;
  readonly company: string;
  readonly reload: () => void;
}) {
  const { move, work, question } = useMove(company, reload);
  const { status, code, hold_until: hold, cancel_reason: reason } = order;
  const open = status === 'novo' || status === 'confirmado';
  return (
    <article class="order">
      <div class="title">
        <h1>{t('orders.order', { code })}</h1>
        <Badge kind={KINDS[status]}>{t(`orders.is.${status}`)}</Badge>
        <a
          class="button end"
          href={addressOf(company, 'orders', 'print', { orders: order.uuid })}
          onClick={follow}
        >
          {t('orders.print')}
        </a>
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Moves order={order} busy={work.busy} move={move} />
      {open && hold !== null && (
        <p>
          <Badge kind="warn">{t('orders.holdUntil', { at: fullTime(hold) })}</Badge>
        </p>
      )}
      {reason !== null && <p>{t('orders.reason', { text: named('orders.reason', reason) })}</p>}
      <Items order={order} />
      <OrderFacts order={order} />
      <Reveal company={company} thing="order" uuid={order.uuid} onChange={reload} />
      <h2>{t('orders.history')}</h2>
      <ol class="history">
        {order.status_history.map((step) => (
          <li key={`${step.status} ${step.at}`}>
            {t(`orders.is.${step.status}`)} · <Time at={step.at} /> ·{' '}
            <span class="quiet">{t('orders.by', { who: mover(step.by) })}</span>
          </li>
        ))}
      </ol>
      {question}
    </article>
  );
}

/** A person by name where the API gives one, else the kind of who it was. */
function mover({ type, id, ...more }: Order['status_history'][number]['by']): string {
  const { name } = more as { readonly name?: string | null };
  if (name) return name;
  const kind = named('orders.by', type);
  return type === 'api_key' && id !== null ? `${kind} ${id}` : kind;
}

export const Items = ({ order }: { readonly order: Order }) => (
  <div class="scroll" role="group" tabIndex={0} aria-label={t('orders.items')}>
    <table class="items">
      <tbody>
        {order.items.map((item) => (
          <tr key={item.uuid}>
            <td class="thumb">
              <Picture url={item.image_url} name={item.name} />
            </td>
            <td class="number">{item.quantity} ×</td>
            <th scope="row">
              {item.name} {item.variant_name && <span class="quiet">{item.variant_name}</span>}
              {item.sku && <div class="quiet">{item.sku}</div>}
              {item.quantity > 1 && (
                <div class="quiet">{t('orders.each', { price: amount(item.unit_price) })}</div>
              )}
              {item.note && <div class="noted">{t('orders.itemNote', { text: item.note })}</div>}
            </th>
            <td class="number">{amount(item.total)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <Sum word="orders.subtotal" value={order.subtotal} />
        {Number(order.discount) > 0 && <Sum word="orders.discount" value={order.discount} />}
        {Number(order.delivery_fee) > 0 && <Sum word="orders.fee" value={order.delivery_fee} />}
        <Sum word="orders.total" value={order.total} strong />
      </tfoot>
    </table>
  </div>
);

const Sum = ({
  word,
  value,
  strong = false,
}: {
  readonly word: 'orders.subtotal' | 'orders.discount' | 'orders.fee' | 'orders.total';
  readonly value: string;
  readonly strong?: boolean;
}) => (
  <tr class={strong ? 'sum strong' : 'sum'}>
    <th scope="row" colSpan={3}>
      {t(word)}
    </th>
    <td class="number">{amount(value)}</td>
  </tr>
);

export function OrderFacts({ order }: { readonly order: Order }) {
  const { customer, payment, note, source } = order;
  return (
    <dl class="facts">
      <div>
        <dt>{t('orders.customer')}</dt>
        <dd>{buyer(order)}</dd>
        {customer.name !== null && <dd>{customer.phone}</dd>}
        {customer.email !== null && <dd>{customer.email}</dd>}
        {customer.document !== null && <dd>{customer.document}</dd>}
      </div>
      <div>
        <dt>{fulfillmentOf(order)}</dt>
        {placeLines(order).map((line) => (
          <dd key={line}>{line}</dd>
        ))}
      </div>
      <div>
        <dt>{t('orders.payment')}</dt>
        <dd>{paymentOf(order)}</dd>
        {payment.paid_at !== null && (
          <dd class="quiet">{t('orders.paidAt', { at: fullTime(payment.paid_at) })}</dd>
        )}
      </div>
      <div>
        <dt>{t('orders.source')}</dt>
        <dd>{named('orders.source', source)}</dd>
        {order.created_at !== null && <dd class="quiet">{fullTime(order.created_at)}</dd>}
      </div>
      {note !== null && (
        <div class="wide">
          <dt>{t('orders.noteOf')}</dt>
          <dd class="text noted">{note}</dd>
        </div>
      )}
    </dl>
  );
}

function Talk({ order, company }: { readonly order: Order; readonly company: string }) {
  const { conversation_uuid: conversation, customer, code } = order;
  // A masked number leads to nobody.
  const digits = /^\+?(\d+)$/.exec(customer.phone ?? '')?.[1] ?? '';
  return (
    <section class="talk thread" aria-label={t('orders.talk')}>
      <div class="line">
        {conversation !== null && (
          <a href={addressOf(company, 'inbox', conversation, { status: 'all' })} onClick={follow}>
            {t('orders.conversation')}
          </a>
        )}
        {digits !== '' && (
          <a
            class="end"
            href={`https://wa.me/${digits}?text=${encodeURIComponent(t('orders.hello', { code }))}`}
            target="_blank"
            rel="noreferrer"
          >
            {t('orders.whatsapp')}
          </a>
        )}
      </div>
      {conversation === null ? (
        <p class="quiet">{t('orders.noTalk')}</p>
      ) : (
        <Thread key={conversation} company={company} uuid={conversation} />
      )}
    </section>
  );
}
