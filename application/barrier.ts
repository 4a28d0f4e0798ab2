/** Whether read models show what a decision rests on. Made by projections/barrier.ts. */
import type { Position } from '../ports/event-store.js';

/** An event that is in the history, or, for work that none gave rise to, the end of the history a second ago at most. */
export type UpTo = Position | 'recently';

export interface Barrier {
  /** False for collections that are no read model of the history: nobody has to wait for them. */
  guards(collection: string): boolean;
  /** False while every write takes all read models along: whatever is in the history is shown then. */
  mayLag(): boolean;
  /**
   * True when what is read of these read models from now on shows everything up to there. Does not wait.
   * @throws Error for what it does not guard
   */
  passed(models: readonly string[], upTo: UpTo): Promise<boolean>;
  /**
   * Resolves when it does. A small lag is waited for.
   * @throws ReadModelBehind when it takes longer: the work comes back later, and its tries are not counted
   */
  wait(models: readonly string[], upTo: UpTo): Promise<void>;
  /**
   * What `read` answers of a read model that was waited for, or has answered within the last second: where no event has
   * come since that concerns the read model, up to where it was waited for at the least.
   * @param key names the question
   */
  remembered<T extends object>(model: string, key: string, read: () => Promise<T>): Promise<T>;
}
