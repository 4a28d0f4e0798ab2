/**
 * Tells of webhook deliveries that this process writes. They are in no history that others could follow, so consoles
 * that ask another process learn of them when they look again.
 */
import { parseAddress, type ReadModels } from '../../ports/read-models.js';
import { deliveries } from '../../read-models/deliveries.js';

type Told = (company: string, deliveryId: string) => void;

export interface DeliveryNews {
  /** The same read models, whose writes are announced. */
  around(inner: ReadModels): ReadModels;
  /** Returns what ends it. */
  listen(told: Told): () => void;
}

export function createDeliveryNews(): DeliveryNews {
  const listeners = new Set<Told>();
  return {
    around: (inner) => ({
      ...inner,
      async write(collection, writes, options) {
        const stay = await inner.write(collection, writes, options);
        if (listeners.size === 0 || parseAddress(collection)?.name !== deliveries.name) return stay;
        for (const { id, doc } of writes) {
          const company: unknown = doc?.['company_uuid'];
          if (typeof company === 'string') for (const told of listeners) told(company, id);
        }
        return stay;
      },
    }),
    listen(told) {
      listeners.add(told);
      return () => void listeners.delete(told);
    },
  };
}
