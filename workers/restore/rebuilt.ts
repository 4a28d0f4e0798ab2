/**
 * Work that may be repeated without any visible effect outside (stock of orders, files of messages) is put back and
 * acts as usual.
 */
import type { App } from '../../application/app.js';
import { retryRow } from '../../application/parked-messages.js';
import type { Horizon } from '../../application/restore/horizon.js';
import type { OpenWork } from '../../application/restore/open-work.js';
import { ORDER_PLACING } from '../../application/store/orders/place.js';
import { mediaReactor } from '../media/worker.js';
import { orderReactor } from '../store/orders.js';

/** Incomplete orders are completed or return their stock; cancelled orders return theirs. */
export async function putBackOrders(
  app: Pick<App, 'clock' | 'dueTimes'>,
  horizon: Pick<Horizon, 'at'>,
  { placings, cancellations }: OpenWork,
): Promise<void> {
  // This clock may be behind that of the restore, and retries that were due by then are held.
  const dueAt = Math.max(app.clock.now(), horizon.at + 1);
  await app.dueTimes.schedule(
    placings.map((payload) => ({
      queue: ORDER_PLACING,
      id: payload.order_uuid,
      lane: payload.company,
      dueAt,
      payload,
    })),
  );
  await app.dueTimes.schedule(
    [...cancellations.values()].map((pointer) =>
      retryRow(orderReactor.group, pointer.event_id, pointer, dueAt),
    ),
  );
}

/** WhatsApp keeps files for seven days. */
export async function putBackFiles(app: Pick<App, 'clock' | 'dueTimes'>, { files }: OpenWork): Promise<void> {
  const dueAt = app.clock.now();
  await app.dueTimes.schedule(
    [...files.values()].map((pointer) => retryRow(mediaReactor.group, pointer.event_id, pointer, dueAt)),
  );
}
