/**
 * Deliveries that this process has just made, for the claim that follows at once: it need not read again what was
 * written a moment ago. Less than an erasure waits for texts that were made before it (`SETTLING_MS`).
 */
import { createCache } from '../../ports/cache.js';
import type { Clock } from '../../ports/clock.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import type { StoredDocument } from '../../ports/read-models.js';
import type { DeliveryDoc } from '../../read-models/deliveries.js';

const FRESH_MS = 1_000;
const MOST = 2_000;

export interface MadeDeliveries {
  /** Call it once the store has the documents. */
  note(made: readonly StoredDocument<DeliveryDoc>[]): void;
  /** The document of a row, once; undefined when it has to be read. */
  take(entry: Pick<ClaimedEntry, 'id' | 'claims'>): StoredDocument<DeliveryDoc> | undefined;
}

export function createMadeDeliveries(clock: Pick<Clock, 'monotonic'>): MadeDeliveries {
  const made = createCache<string, { readonly stored: StoredDocument<DeliveryDoc>; readonly at: number }>(
    MOST,
  );
  return {
    note(documents) {
      const at = clock.monotonic();
      for (const stored of documents) made.set(stored.id, { stored, at });
    },
    take({ id, claims }) {
      const known = made.get(id);
      if (!known) return undefined;
      made.delete(id);
      // Who claimed it before may have changed it.
      return claims === 1 && clock.monotonic() - known.at < FRESH_MS ? known.stored : undefined;
    },
  };
}
