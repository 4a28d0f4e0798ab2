/** How projections fare in the process that runs them, written down for whoever is asked in another one. */
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { CollectionSpec, ReadModels } from '../ports/read-models.js';
import { failureOf, type Failure } from './failures.js';
import { addressOf, type Target } from './projection.js';

export const stateCollection: CollectionSpec = { name: 'projection_states', version: 1, indexes: {} };

export type StateDoc = {
  readonly name: string;
  readonly failure: Failure | null;
  readonly failed_since: string | null;
  /** Applied over the last seconds. */
  readonly events_per_second: number;
};

export interface States {
  /** So many events were applied. */
  applied(name: string, events: number): void;
  /** It can't apply an event (its error), or goes on (null). */
  failed(target: Target, error: unknown): void;
  /** By name of the projection, whichever copy it is. */
  errors(): ReadonlyMap<string, Failure>;
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;

export function createStates(
  names: readonly string[],
  deps: {
    readonly readModels: Pick<ReadModels, 'write' | 'get'>;
    readonly clock: Clock;
    readonly logger: Logger;
    /** False where another process has taken over. */
    readonly held: () => boolean;
  },
): States {
  const { readModels, clock, logger } = deps;
  const failures = new Map<
    string,
    { readonly name: string; readonly failure: Failure; readonly since: string }
  >();
  const counts = new Map<string, number>();
  const written = new Map<string, string>();
  let countedAt = clock.now();
  let stopped = false;
  let saving: Promise<void> = Promise.resolve();

  const failureOfName = (name: string) => [...failures.values()].find((one) => one.name === name);

  async function save(): Promise<void> {
    const now = clock.now();
    const seconds = Math.max(0.001, (now - countedAt) / 1000);
    countedAt = now;
    const version = String(now).padStart(16, '0');
    const writes = names.flatMap((name) => {
      const failed = failureOfName(name);
      const doc: StateDoc = {
        name,
        failure: failed?.failure ?? null,
        failed_since: failed?.since ?? null,
        events_per_second: Math.round(((counts.get(name) ?? 0) / seconds) * 10) / 10,
      };
      const text = JSON.stringify(doc);
      if (written.get(name) === text) return [];
      written.set(name, text);
      return [{ id: name, doc, version }];
    });
    counts.clear();
    if (writes.length === 0 || !deps.held()) return;
    await readModels.write(stateCollection.name, writes).catch((error: unknown) => {
      written.clear();
      logger.warn({ err: error }, 'the state of the projections could not be written down');
    });
  }

  let cancel: () => void = () => undefined;
  function next(): void {
    if (stopped) return;
    cancel = clock.after(EVERY_MS, () => {
      saving = save();
      void saving.then(next);
    });
  }
  next();

  return {
    applied: (name, events) => void counts.set(name, (counts.get(name) ?? 0) + events),
    failed(target, error) {
      const address = addressOf(target);
      if (error === null) {
        failures.delete(address);
        return;
      }
      const since = failures.get(address)?.since ?? new Date(clock.now()).toISOString();
      failures.set(address, { name: target.projection.name, failure: failureOf(error), since });
    },
    errors: () => new Map([...failures.values()].map(({ name, failure }) => [name, failure] as const)),
    async stop() {
      stopped = true;
      cancel();
      await saving;
    },
  };
}
