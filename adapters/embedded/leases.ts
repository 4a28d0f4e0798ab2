/**
 * Leases for a single process: the first caller acquires the lease and keeps it until it releases it. State left in a
 * lease lives as long as the process. After a restart the channels' pace is restored from the history.
 */
import type { Lease, Leases } from '../../ports/leases.js';

export function createLeases(): Leases {
  const held = new Map<string, Lease>();
  const remembered = new Map<string, { readonly fence: number; readonly left: Lease['left'] }>();

  return {
    async acquire(name) {
      if (held.has(name)) return null;
      const before = remembered.get(name);
      let left = before?.left ?? null;
      let finish: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const lease: Lease = {
        name,
        fence: (before?.fence ?? 0) + 1,
        left,
        held: () => held.get(name) === lease,
        ended,
        leave: (state) => {
          left = state;
        },
        async release() {
          if (held.get(name) !== lease) return;
          held.delete(name);
          remembered.set(name, { fence: lease.fence, left });
          finish();
        },
      };
      held.set(name, lease);
      return lease;
    },
    async holders() {
      return [...held.values()].map(({ name, fence }) => ({ name, holder: 'this process', fence }));
    },
  };
}
