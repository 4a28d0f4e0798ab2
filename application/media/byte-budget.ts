/** Bounds the total memory of the files that are held while they are sealed or served. */
export interface ByteBudget {
  /** Waits for free budget. A file larger than the whole budget is admitted alone. Call the result when done. */
  take(bytes: number): Promise<() => void>;
}

export function createByteBudget(total: number): ByteBudget {
  let left = total;
  const waiting: { readonly need: number; readonly go: () => void }[] = [];

  function admit(): void {
    // In order of request, so that small files cannot starve a large one.
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
