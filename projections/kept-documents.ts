/**
 * Keeps the documents that the follower wrote last, so that the next batch folds them without a read. Most documents of
 * a message change several times within seconds. A kept document is a guess: the version it is folded from is verified
 * by the commit, and after any failure the documents concerned are read again. See docs/adr/0048-documents-kept.md.
 */
import type { Clock } from '../ports/clock.js';
import type {
  CollectionCommit,
  Document,
  DocumentWrite,
  NameOf,
  ReadModels,
  StoredDocument,
} from '../ports/read-models.js';
import { createModelStates, modelOf, type StateOf } from './model-states.js';

interface Kept {
  /** Null where the document was removed. */
  readonly doc: Document | null;
  readonly version: string;
  /** Time of the commit. */
  readonly at: number;
}

const MOST = 2_000;
/** Bounds how long opened personal data stays in memory. */
const KEPT_MS = 30_000;

/**
 * How long readers other than the follower may use a kept document. Less than an erasure waits for texts that were made
 * before it (`SETTLING_MS`).
 */
const SHARED_MS = 1_000;

/** The document that the follower wrote last; undefined when it has to be read. */
export type WrittenLast = (model: string, id: string) => StoredDocument<Document> | undefined;

/** Receives what lets others of the process use what the follower wrote. */
export type Share = (written: WrittenLast, stateOf: StateOf) => void;

/**
 * Read models whose commits are remembered. Addresses must name a generation.
 * @param share called with what lets others of this process use a document for a short time. Only documents of models
 * of which one copy was written: readers of another copy would see the wrong one
 */
export function keepDocuments(
  readModels: ReadModels,
  clock: Pick<Clock, 'monotonic'>,
  share?: Share,
): ReadModels {
  /** The latest written last. */
  const kept = new Map<string, Kept>();
  const copies = new Map<string, Set<string>>();
  const states = createModelStates();
  const keyOf = (address: string, id: string): string => `${address}/${id}`;

  function lookUp(key: string): Kept | undefined {
    const found = kept.get(key);
    return found && clock.monotonic() - found.at < KEPT_MS ? found : undefined;
  }

  function forgetOld(now: number): void {
    for (const [key, { at }] of kept) {
      if (kept.size <= MOST && now - at < KEPT_MS) return;
      kept.delete(key);
    }
  }

  function each(
    changes: readonly CollectionCommit[],
    use: (key: string, write: DocumentWrite) => void,
  ): void {
    for (const { collection, writes } of changes)
      for (const write of writes) use(keyOf(collection, write.id), write);
  }

  async function remembered(
    changes: readonly CollectionCommit[],
    commit: () => Promise<void>,
  ): Promise<void> {
    try {
      await states.around(changes, commit);
    } catch (error) {
      each(changes, (key) => kept.delete(key));
      throw error;
    }
    const at = clock.monotonic();
    each(changes, (key, { doc, version }) => {
      kept.delete(key);
      kept.set(key, { doc, version, at });
    });
    for (const { collection } of changes) {
      const name = modelOf(collection);
      copies.set(name, (copies.get(name) ?? new Set()).add(collection));
    }
    forgetOld(at);
  }

  share?.((model, id) => {
    const [address, another] = copies.get(model) ?? [];
    if (address === undefined || another !== undefined) return undefined;
    const found = kept.get(keyOf(address, id));
    if (!found?.doc || clock.monotonic() - found.at >= SHARED_MS) return undefined;
    return { id, doc: found.doc, version: found.version };
  }, states.of);

  return {
    ...readModels,
    async getMany<Doc extends Document = Document>(address: NameOf<Doc>, ids: readonly string[]) {
      const known: StoredDocument<Doc>[] = [];
      const unknown = ids.filter((id) => {
        const found = lookUp(keyOf(address, id));
        if (found?.doc) known.push({ id, doc: found.doc as Doc, version: found.version });
        return found === undefined;
      });
      return unknown.length === 0 ? known : [...known, ...(await readModels.getMany<Doc>(address, unknown))];
    },
    commit: (collection, change) =>
      remembered([{ ...change, collection }], () => readModels.commit(collection, change)),
    commitAll: (changes) => remembered(changes, () => readModels.commitAll(changes)),
  };
}
