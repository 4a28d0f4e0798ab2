/** Connects the two workers of a webhook replay: one decides which notifications are due, the other delivers them. */
import type { App } from '../application/app.js';
import type { ReplayWebhooks } from '../api/admin/webhooks.js';
import { replayWebhooks } from '../workers/notifications/replay.js';
import { enqueueDeliveries } from '../workers/webhooks/enqueue.js';
import { deliveries } from '../read-models/deliveries.js';

export const webhookReplay =
  (app: App): ReplayWebhooks =>
  (piece) =>
    replayWebhooks(
      {
        app,
        async known(ids) {
          const found = await app.readModels.getMany(deliveries.name, ids);
          return new Map(found.map(({ id, doc }) => [id, doc]));
        },
        enqueue: (orders) =>
          enqueueDeliveries(
            app,
            orders.map((order) => ({ ...order, trigger: 'manual' })),
          ),
      },
      piece,
    );
