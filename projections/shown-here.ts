/**
 * What the follower of this process has made the read models show. Whoever waits for a read model in the same process
 * need not ask the store for a checkpoint that this process has just moved.
 */
import type { Clock } from '../ports/clock.js';
import { START, type Position } from '../ports/event-store.js';
import type { CollectionName, Document, StoredDocument } from '../ports/read-models.js';
import type { WrittenLast } from './kept-documents.js';

/**
 * A follower that committed this recently still holds the lease of the projections, so the store has nothing newer. One
 * that is slower, or was replaced, is not trusted: the store is asked.
 */
export const LATELY_MS = 100;

export interface ShownHere {
  /** The follower has committed everything up to here in every copy of these read models. */
  readonly note: (models: Iterable<string>, position: Position) => void;
  /** What documents of the model that are read from now on contain; `START` when unknown. */
  upTo(model: string): Position;
  /** True while nobody but the follower of this process can have made the model show more. */
  isLatest(model: string): boolean;
  /** Gives access to the documents that the follower wrote last. */
  readonly share: (written: WrittenLast) => void;
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

  function isLatest(model: string): boolean {
    const last = shown.get(model);
    return last !== undefined && clock.monotonic() - last.at < LATELY_MS;
  }

  return {
    note(models, position) {
      const at = clock.monotonic();
      for (const model of models) shown.set(model, { position, at });
    },
    upTo: (model) => shown.get(model)?.position ?? START,
    isLatest,
    share: (given) => void (written = given),
    document<Doc extends Document>(collection: CollectionName<Doc>, id: string) {
      if (!isLatest(collection)) return undefined;
      return written?.(collection, id) as StoredDocument<Doc> | undefined;
    },
  };
}
