/** Lists the leases that this process holds, for metrics. */
import type { Lease, Leases } from '../ports/leases.js';

export interface HeldLeases {
  readonly leases: Leases;
  held(): readonly string[];
}

export function withHeldLeases(inner: Leases): HeldLeases {
  const own = new Set<Lease>();
  return {
    leases: {
      ...inner,
      async acquire(name) {
        const lease = await inner.acquire(name);
        if (lease === null) return null;
        own.add(lease);
        void lease.ended.then(() => own.delete(lease));
        return lease;
      },
    },
    held: () => [...own].filter((lease) => lease.held()).map((lease) => lease.name),
  };
}
