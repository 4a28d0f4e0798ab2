/**
 * Positions that the follower of this process has committed. Code of the same process that waits for a read model uses
 * them instead of reading the checkpoint from the store.
 */
import type { Clock } from '../ports/clock.js';
import { START, type Position } from '../ports/event-store.js';
import type { CollectionName, Document, StoredDocument } from '../ports/read-models.js';
import type { WrittenLast } from './kept-documents.js';
import type { StateOf } from './model-states.js';

/**
 * If the follower committed within this time, the store has nothing newer. It is longer than the time between two batches
 * under load. After it, another process may follow, so the store is asked.
 */
export const LATELY_MS = 250;

export interface ShownHere {
  /** The follower has committed everything up to here in every copy of these read models. */
  readonly note: (models: Iterable<string>, position: Position) => void;
  /** What documents of the model that are read from now on contain; `START` when unknown. */
  upTo(model: string): Position;
  /** True while nobody but the follower of this process can have made the model show more. */
  isLatest(model: string): boolean;
  /**
   * Gives access to what the follower wrote.
   * @param held false as soon as another process may follow
   */
  readonly share: (written: WrittenLast, stateOf: StateOf, held?: () => boolean) => void;
  /**
   * Names the state of the model's documents; null when it is unknown. A document that was read after the state had this
   * name is the stored one as long as the name is the same.
   */
  readonly state: StateOf;
  /**
   * The stored document, as far as the follower knows, where it wrote it a moment ago. It contains everything that the
   * model shows. Undefined when it has to be read.
   */
  readonly document: <Doc extends Document>(
    collection: CollectionName<Doc>,
    id: string,
  ) => StoredDocument<Doc> | undefined;
}

interface Shown {
  readonly position: Position;
  readonly at: number;
}

export function createShownHere(clock: Pick<Clock, 'monotonic'>): ShownHere {
  const shown = new Map<string, Shown>();
  let written: WrittenLast | undefined;
  let stateOf: StateOf = () => null;
  let held = (): boolean => true;

  function isLatest(model: string): boolean {
    const last = shown.get(model);
    return last !== undefined && clock.monotonic() - last.at < LATELY_MS && held();
  }

  return {
    note(models, position) {
      const at = clock.monotonic();
      for (const model of models) shown.set(model, { position, at });
    },
    upTo: (model) => shown.get(model)?.position ?? START,
    isLatest,
    share(documents, states, holds = () => true) {
      written = documents;
      stateOf = states;
      held = holds;
    },
    state: (model) => (isLatest(model) ? stateOf(model) : null),
    document<Doc extends Document>(collection: CollectionName<Doc>, id: string) {
      if (!isLatest(collection)) return undefined;
      return written?.(collection, id) as StoredDocument<Doc> | undefined;
    },
  };
}
