/** Files are held in memory while they are sealed or served; this bounds how much of it they take together. */
export interface ByteBudget {
  /** Waits for its turn. What is larger than the whole budget is let in alone. Call what it answers once, when done. */
  take(bytes: number): Promise<() => void>;
}

export function createByteBudget(total: number): ByteBudget {
  let left = total;
  const waiting: { readonly need: number; readonly go: () => void }[] = [];

  function admit(): void {
    // In order of asking, so that a large one is not starved by small ones.
    for (let next = waiting[0]; next && next.need <= left; next = waiting[0]) {
      waiting.shift();
      left -= next.need;
      next.go();
    }
  }

  return {
    take(bytes) {
      const need = Math.min(bytes, total);
      return new Promise((resolve) => {
        let given = true;
        const giveBack = (): void => {
          if (!given) return;
          given = false;
          left += need;
          admit();
        };
        waiting.push({ need, go: () => resolve(giveBack) });
        admit();
      });
    },
  };
}
