/**
 * Prevents refusals that are based on a read model that lags. After a restore, or while a read model is built, "there
 * is no such key" may be untrue, and callers treat it as final. Such a response becomes 503 (docs/adr/0024).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../application/app.js';
import { aroundReads } from '../../application/around-reads.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { ReadModelBehind } from '../../ports/read-models.js';

export interface RefuseOnFacts {
  /** The application to pass to all handlers: it records the reads of a request. */
  readonly app: App;
  /** @throws ReadModelBehind instead of a Refusal that is based on a read model that lagged */
  readonly facts: <T>(work: () => Promise<T>) => Promise<T>;
}

interface Read {
  readonly model: string;
  readonly answer: unknown;
  readonly again: () => Promise<unknown>;
}

async function noted<T>(reads: Read[], model: string, read: () => Promise<T>): Promise<T> {
  const answer = await read();
  reads.push({ model, answer, again: read });
  return answer;
}

export function refuseOnFacts(inner: App): RefuseOnFacts {
  const { barrier } = inner;
  const requests = new AsyncLocalStorage<Read[]>();
  const readModels = aroundReads(inner.readModels, (model, read) => {
    const reads = requests.getStore();
    return reads && barrier.guards(model) ? noted(reads, model, read) : read();
  });

  /** Read models that were behind when they were read. */
  async function behind(reads: readonly Read[]): Promise<readonly string[]> {
    const models = [...new Set(reads.map(({ model }) => model))];
    if (models.length === 0) return [];
    if (!(await barrier.passed(models, 'recently'))) return models;
    // A model that has caught up since may have been behind when it was read, so its results are compared again.
    const same = await Promise.all(
      reads.map(async ({ answer, again }) => isDeepStrictEqual(await again(), answer)),
    );
    return [...new Set(reads.filter((_, index) => !same[index]).map(({ model }) => model))];
  }

  return {
    app: { ...inner, readModels },
    async facts(work) {
      // Recording the reads of a request slows each of its promises a little, so skip it where no read model can lag.
      if (!barrier.mayLag()) return work();
      const reads: Read[] = [];
      try {
        return await requests.run(reads, work);
      } catch (error) {
        const models = error instanceof Refusal ? await behind(reads) : [];
        if (models.length === 0) throw error;
        throw new ReadModelBehind(models);
      }
    },
  };
}
