/**
 * Nobody is refused by what a read model does not show yet. After a restore, or while one is built, "there is no such
 * key" is untrue, and callers take it for final: such an answer becomes 503 (docs/adr/0024).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { App } from '../../application/app.js';
import { beforeReads } from '../../application/before-reads.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { ReadModelBehind } from '../../ports/read-models.js';

export interface RefuseOnFacts {
  /** The application to hand to everybody: it notes which read models a request reads. */
  readonly app: App;
  /** @throws ReadModelBehind in place of a Refusal when one of them does not show the whole history */
  readonly facts: <T>(work: () => Promise<T>) => Promise<T>;
}

export function refuseOnFacts(inner: App): RefuseOnFacts {
  const { barrier } = inner;
  const requests = new AsyncLocalStorage<Set<string>>();
  const readModels = beforeReads(inner.readModels, (model) => {
    requests.getStore()?.add(model);
    return undefined;
  });
  return {
    app: { ...inner, readModels },
    async facts(work) {
      // To know what a request reads costs each of its promises a little.
      if (!barrier.mayLag()) return work();
      const read = new Set<string>();
      try {
        return await requests.run(read, work);
      } catch (error) {
        const models = error instanceof Refusal ? [...read].filter((name) => barrier.guards(name)) : [];
        if (models.length === 0 || (await barrier.passed(models, 'recently'))) throw error;
        throw new ReadModelBehind(models);
      }
    },
  };
}
