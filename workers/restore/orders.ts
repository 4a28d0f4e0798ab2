/**
 * Orders that were waiting for payment: one that is due later is cancelled as usual; one that was already due may have
 * been paid and is held.
 */
import type { App } from '../../application/app.js';
import { hold } from '../../application/restore/held-work.js';
import type { Horizon } from '../../application/restore/horizon.js';
import type { OpenWork } from '../../application/restore/open-work.js';
import { holdEntry } from '../../application/store/orders/hold.js';
import { eachAtOnce } from './at-once.js';

export async function prepareHolds(
  app: Pick<App, 'dueTimes' | 'readModels'>,
  horizon: Horizon,
  { holds }: OpenWork,
): Promise<void> {
  await eachAtOnce(holds, async ([uuid, { company, until }]) => {
    const row = holdEntry(uuid, company, until);
    if (horizon.nothingRanSince || row.dueAt > horizon.at) return app.dueTimes.schedule([row]);
    const about = 'cancels an order that was not paid in time';
    await hold(app, horizon, [{ id: uuid, kind: 'order', company_uuid: company, about, row }]);
  });
}
