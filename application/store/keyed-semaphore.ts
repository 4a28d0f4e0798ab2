/** Bounds concurrent work: in total, and per key (a store, a host), so that no key uses all slots. */
export interface KeyedSemaphore {
  /** Waits for a free slot of each key. Call the returned function when done. */
  take(keys: readonly string[]): Promise<() => void>;
}

export function createKeyedSemaphore({
  total,
  perKey,
}: {
  readonly total: number;
  readonly perKey: number;
}): KeyedSemaphore {
  const taken = new Map<string, number>();
  let running = 0;
  const waiting: { readonly keys: readonly string[]; readonly go: () => void }[] = [];

  const isFree = (keys: readonly string[]): boolean => keys.every((key) => (taken.get(key) ?? 0) < perKey);

  function count(keys: readonly string[], by: 1 | -1): void {
    running += by;
    for (const key of keys) {
      const now = (taken.get(key) ?? 0) + by;
      if (now === 0) taken.delete(key);
      else taken.set(key, now);
    }
  }

  function admit(): void {
    // In order of request; requests for a key without free slots are skipped.
    let at = 0;
    for (let next = waiting[at]; next && running < total; next = waiting[at]) {
      if (isFree(next.keys)) {
        waiting.splice(at, 1);
        count(next.keys, 1);
        next.go();
      } else at += 1;
    }
  }

  return {
    take(keys) {
      return new Promise((resolve) => {
        let given = true;
        const giveBack = (): void => {
          if (!given) return;
          given = false;
          count(keys, -1);
          admit();
        };
        waiting.push({ keys, go: () => resolve(giveBack) });
        admit();
      });
    },
  };
}
