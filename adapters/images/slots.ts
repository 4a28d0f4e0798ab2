/** Limits concurrency to a number of units, in order of the calls; heavy work takes several units. */
export function createSlots(total: number) {
  let free = total;
  const waiting: { readonly need: number; readonly go: () => void }[] = [];

  function admit(): void {
    for (let next = waiting[0]; next && next.need <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.need;
      next.go();
    }
  }

  return async function run<T>(weight: number, work: () => Promise<T>): Promise<T> {
    const need = Math.min(weight, total);
    await new Promise<void>((go) => {
      waiting.push({ need, go });
      admit();
    });
    try {
      return await work();
    } finally {
      free += need;
      admit();
    }
  };
}
