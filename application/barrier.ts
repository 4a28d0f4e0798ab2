/** Checks or waits until read models show the events that a decision needs. Implemented by projections/barrier.ts. */
import type { Position } from '../ports/event-store.js';

/** Position of an event. `recently`, for work that no event caused: the head of the history at most a second ago. */
export type UpTo = Position | 'recently';

export interface Barrier {
  /** False for collections that are not projected from the history: nothing has to wait for them. */
  guards(collection: string): boolean;
  /** False when every write also updates all read models, so that they always show the whole history. */
  mayLag(): boolean;
  /**
   * True when reads of these read models from now on show everything up to that position. Does not wait.
   * @throws Error for a collection that it does not guard
   */
  passed(models: readonly string[], upTo: UpTo): Promise<boolean>;
  /**
   * Resolves when they do. Waits out a small lag.
   * @throws ReadModelBehind when it takes longer: the work is retried later, and its attempts are not counted
   */
  wait(models: readonly string[], upTo: UpTo): Promise<void>;
  /**
   * Returns the result of `read` for a read model that was waited for, or a cached result that is at most a second old.
   * A cached result is used only while no event that concerns the read model has been recorded since, at least up to
   * the position that was waited for.
   * @param key identifies the query. `read` must not ask for the same key: it would wait for itself
   */
  remembered<T extends object>(model: string, key: string, read: () => Promise<T>): Promise<T>;
}
