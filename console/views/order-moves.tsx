import type { Order, OrderStatus } from '../shapes.js';
import { t } from '../words.js';

/** What dragging does, for keyboards and fingers. */
export function Moves({
  order,
  busy,
  move,
}: {
  readonly order: Order;
  readonly busy: boolean;
  readonly move: (order: Order, status: OrderStatus) => void;
}) {
  return (
    <div class="actions">
      {order.allowed_statuses.map((status) =>
        status === 'novo' ? null : (
          <button
            data-op="moveCompanyOrder"
            key={status}
            type="button"
            class={status === 'cancelado' ? 'plain' : 'next'}
            disabled={busy}
            onClick={() => move(order, status)}
            aria-label={`${t(`orders.to.${status}`)} ${order.code}`}
          >
            {t(`orders.to.${status}`)}
          </button>
        ),
      )}
    </div>
  );
}
