/**
 * Names the state of each read model's documents, as far as the follower of this process changes them: the same name at
 * two times means that it changed none in between. Unknown while it writes some, and after a write whose outcome is
 * unknown.
 */
import { parseAddress, type CollectionCommit } from '../ports/read-models.js';

/** The name of the state of a model's documents; null while it is unknown. */
export type StateOf = (model: string) => object | null;

export interface ModelStates {
  readonly of: StateOf;
  /** Runs a commit of these changes. */
  around(changes: readonly CollectionCommit[], commit: () => Promise<void>): Promise<void>;
}

export const modelOf = (address: string): string => parseAddress(address)?.name ?? address;

export function createModelStates(): ModelStates {
  /** A new follower names its states anew: others may have changed documents in between. */
  const atFirst = {};
  const states = new Map<string, object>();
  const writing = new Map<string, number>();
  /** Addresses of copies that may still change without an answer, until the next commit of the copy succeeds. */
  const unsure = new Set<string>();

  return {
    of(model) {
      if ((writing.get(model) ?? 0) > 0) return null;
      for (const address of unsure) if (modelOf(address) === model) return null;
      return states.get(model) ?? atFirst;
    },
    async around(changes, commit) {
      const changed = changes.filter(({ writes }) => writes.length > 0).map(({ collection }) => collection);
      const count = (by: number): void => {
        for (const address of changed) {
          const model = modelOf(address);
          writing.set(model, (writing.get(model) ?? 0) + by);
          states.set(model, {});
        }
      };
      count(1);
      try {
        await commit();
        // A checkpoint that moved from where it was proves that no earlier commit is still to come.
        for (const { collection } of changes) unsure.delete(collection);
      } catch (error) {
        for (const address of changed) unsure.add(address);
        throw error;
      } finally {
        count(-1);
      }
    },
  };
}
