import { send } from '../api.js';
import { useAsk } from '../ask.js';
import { useWork } from '../load.js';
import type { Order, OrderStatus } from '../shapes.js';
import { t } from '../words.js';

/** Moving an order along its table; a cancellation is asked about first, because nothing undoes it. */
export function useMove(company: string, onMoved: (order: Order) => void) {
  const work = useWork();
  const [ask, question] = useAsk();
  const move = async (order: Order, status: OrderStatus): Promise<void> => {
    const { code, uuid } = order;
    let reason: string | null = null;
    if (status === 'cancelado') {
      reason = await ask({
        title: t('orders.cancelTitle', { code }),
        text: t('orders.cancelSure'),
        reason: t('orders.cancelReason'),
        yes: t('orders.cancelYes'),
      });
      if (reason === null) return;
    }
    const path = `/companies/${company}/store/orders/${uuid}/status`;
    const body = { status, ...(reason ? { reason } : {}) };
    await work.run(async () => onMoved(await send<Order>('POST', path, body)));
  };
  return { move: (order: Order, status: OrderStatus) => void move(order, status), work, question };
}
