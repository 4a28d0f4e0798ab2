/**
 * Documents for every GET. Deliberately narrow: no query language leaks out, so that two very different stores can
 * implement it.
 */
import { NotYet, StoreUnavailable, type Position } from './event-store.js';

export type Document = Readonly<Record<string, unknown>>;
export type IndexValue = string | number | null;

/** Exists in types only: at run time a name is a plain string. */
declare const SHAPE: unique symbol;

/**
 * Name of a collection that holds documents of one type and can be queried by these indexes. `CollectionName<Doc>`
 * accepts a collection with any indexes.
 */
export type CollectionName<Doc extends Document, Index extends string = never> = string & {
  readonly [SHAPE]: { readonly doc: Doc; readonly index: (index: Index) => void };
};

/** A plain string (`orders@3#2`) carries no document type, so no type can be claimed for its documents. */
export type NameOf<Doc extends Document, Index extends string = never> =
  CollectionName<Doc, Index> | (string extends keyof Doc ? string : never);

export interface CollectionSpec {
  readonly name: string;
  /** A new version is a new, empty collection beside the old one. */
  readonly version: number;
  /** One of several copies of this version (see docs/projections.md). Left out: the live one, initially 1. */
  readonly generation?: number;
  /**
   * Each index is a list of top-level fields of the document: equality on the first ones, order by the next, and the
   * document id to break ties. Every field must be a string, a number or null.
   */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Enables `search`. */
  readonly search?: SearchSpec;
  /** Enables `forgetRemoved`. Left out: ids and versions of removed documents are kept for ever. */
  readonly forgets?: true;
  /**
   * The documents are large, and written far more often than read: a store may keep them compressed. Left out: it keeps
   * them as they are.
   */
  readonly packed?: true;
  /**
   * Most ids begin with so many first characters of the index's first field. A store may find these documents by their
   * ids, and leave them out of the index. Queries find the others as well.
   */
  readonly idsBegin?: { readonly index: string; readonly characters: number };
}

export interface SearchSpec {
  /** Field that restricts every search, such as the company. A string. */
  readonly scope: string;
  /** Field that holds the folded words a document is found by: an array of strings, at most a few hundred. */
  readonly words: string;
  /** Field that results are ordered by, then the id. A string or null. */
  readonly orderBy: string;
}

export interface StoredDocument<T> {
  readonly id: string;
  readonly doc: T;
  /** Last applied version: the position of an event for projections, any growing string for others. */
  readonly version: string;
}

export interface DocumentWrite<Doc extends Document = Document> {
  readonly id: string;
  /**
   * `null` removes the document. Its version is kept until it is forgotten, so that an older write can't restore the
   * document.
   */
  readonly doc: Doc | null;
  /** The write is applied only when the stored version is lower (strings compare). */
  readonly version: string;
  /**
   * Version that the new content was made from, `''` where no document could be read (it never existed or was removed).
   * The commit is refused with DocumentMoved, before its checkpoint moves, when it finds another document, or that it was
   * removed, at a version lower than `version`. Left out: only `version` counts.
   */
  readonly base?: string;
}

export interface Find<Index extends string = string> {
  readonly index: Index;
  /** Values for the leading fields of the index. */
  readonly equals: readonly IndexValue[];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Sort key of the last document of the page before: values of the index's remaining fields, then the id. */
  readonly after?: readonly IndexValue[];
}

export interface Search {
  readonly scope: string;
  /** Each must be the beginning of one of the document's words. At least one, none empty. */
  readonly prefixes: readonly string[];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Sort key of the last document of the page before: value of `orderBy`, then the id. */
  readonly after?: readonly IndexValue[];
}

export interface Found<T> {
  readonly documents: readonly StoredDocument<T>[];
  /** Sort key of the last document when more follow, else null. */
  readonly next: readonly IndexValue[] | null;
}

export interface ProjectionCommit {
  readonly projection: string;
  /** Compare-and-set: the checkpoint as this runner knows it, so that two runners can't both advance it. */
  readonly from: Position;
  readonly to: Position;
  readonly writes: readonly DocumentWrite[];
}

/** A commit to one of several collections. */
export interface CollectionCommit extends ProjectionCommit {
  readonly collection: string;
}

export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/**
 * Another writer changed a document between the load and the commit. The checkpoint did not move. Load and fold again.
 */
export class DocumentMoved extends Error {
  override readonly name = 'DocumentMoved';
}

/** The stored text of a document is not JSON: the disk damaged it, or someone wrote into the store. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
  constructor(
    readonly collection: string,
    readonly stored: Omit<StoredDocument<unknown>, 'doc'>,
  ) {
    super(
      `document ${stored.id} of ${collection} can not be read: what is stored of it is no JSON. ` +
        `Make the read model again: recado projections rebuild ${collection}`,
    );
  }
}

/** @throws UnreadableDocument */
export function storedDocument<T>(
  collection: string,
  { id, version, text }: ScannedDocument,
): StoredDocument<T> {
  try {
    return { id, doc: JSON.parse(text) as T, version };
  } catch {
    throw new UnreadableDocument(collection, { id, version });
  }
}

/** For code that goes through all documents: one damaged document must not block the others. */
export function readableOrNull(text: string): Document | null {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return null;
  }
}

/** Not all documents can be found yet: the store is still indexing their words, and continues by itself. */
export class SearchNotReady extends StoreUnavailable {
  /** @param done share of the documents that are indexed, below 1 */
  constructor(
    readonly collection: string,
    readonly done: number,
  ) {
    super(`the search over ${collection} is being prepared: ${Math.floor(done * 100)} % done`);
  }
}

/**
 * The read models that a decision depends on are not up to date. The work waits until they are; no attempt is counted.
 */
export class ReadModelBehind extends NotYet {
  constructor(readonly models: readonly string[]) {
    super(`behind the history, so nothing is decided by what they show: ${models.join(', ')}`);
  }
}

/** The copies of one version of a collection. */
export interface Generations {
  readonly version: number;
  /** The generation that `name` and `name@version` stand for. */
  readonly live: number;
  /** Every generation that exists, the live one included, ascending. */
  readonly all: readonly number[];
  /** Number for a new generation. */
  readonly next: number;
}

export interface Scan {
  /** Only documents whose id begins with it; left out: all. */
  readonly prefix?: string;
  /** Id of the last document of the page before; null from the beginning. */
  readonly after: string | null;
  readonly limit: number;
  /** By the bytes of their ids. */
  readonly order: 'asc' | 'desc';
}

/** Sorts after every other character, in UTF-8 as in code points: ids with a prefix end before it. */
export const LAST_CHARACTER = '\u{10FFFF}';

/** A slice of the removed documents whose ids and versions are still kept. */
export interface Forget {
  /** Removed documents found for the first time are marked with this time. Milliseconds since the epoch. */
  readonly now: number;
  /** Documents marked before this time are forgotten. */
  readonly notedBefore: number;
  /** The most documents to mark, and the most to forget. */
  readonly limit: number;
}

export interface Forgotten {
  readonly forgotten: number;
  /** There may be more to mark or to forget. */
  readonly more: boolean;
}

export interface ScannedDocument {
  readonly id: string;
  readonly version: string;
  /** JSON, byte for byte as it is stored. */
  readonly text: string;
}

/** One version of a collection, with all its copies. */
export type CollectionVersion = Pick<CollectionSpec, 'name' | 'version'>;

/** The generation to flip or to drop is not in the state that the caller assumed. Nothing was changed. */
export class GenerationMoved extends Error {
  override readonly name = 'GenerationMoved';
}

/**
 * Everywhere below, a collection is addressed in one of three ways: `orders` (the version defined last in this
 * process), `orders@3` (that version) or `orders@3#2` (one generation of it). The first two stand for the live
 * generation. A process that did not flip it itself may keep using the previous generation for a bounded time
 * (`STALE_GENERATION_MS`). During that time the previous generation must be kept current. Checkpoints of projections
 * are addressed in the same way, `name@version#generation`.
 */
export interface ReadModels {
  /** Creates what is missing. Called once for each collection before it is used. */
  define(spec: CollectionSpec): Promise<void>;
  /**
   * Read from the store on each call. The first generation of a version always counts as existing until it is dropped.
   */
  generations(collection: string): Promise<Generations>;
  /**
   * Makes another generation the live one: one atomic write. This process sees it when the promise resolves, others
   * within STALE_GENERATION_MS. @throws GenerationMoved when `from` is not live, or `to` does not exist
   */
  flip(collection: string, change: { readonly from: number; readonly to: number }): Promise<void>;
  /** Removes a generation, its documents and its checkpoint. Repeatable. @throws GenerationMoved when it is live */
  drop(spec: CollectionSpec & { readonly generation: number }): Promise<void>;
  /** Every version of every collection in the store: of this release, and of earlier and later ones. */
  versions(): Promise<readonly CollectionVersion[]>;
  /**
   * Removes a version with all its copies, their documents and checkpoints. May be repeated.
   * @throws GenerationMoved when it is defined in this process
   */
  dropVersion(version: CollectionVersion): Promise<void>;
  /**
   * Removes documents from every copy of every version that is not defined in this process. Other releases left those
   * versions, or run beside this one. The id of a removed document is kept with a version above its last one. Returns
   * how many documents were removed.
   */
  removeElsewhere(goes: (document: ScannedDocument) => boolean): Promise<number>;
  /**
   * Forgets documents of the live copy that were removed long ago: from then on an older write restores them. A
   * document that was written and removed again is marked anew. Only for collections that declare `forgets`.
   */
  forgetRemoved(collection: string, slice: Forget): Promise<Forgotten>;
  /** Live documents in the order of their ids, for iterating over a whole collection. */
  scan(collection: string, query: Scan): Promise<readonly ScannedDocument[]>;
  get<Doc extends Document = Document>(
    collection: NameOf<Doc>,
    id: string,
  ): Promise<StoredDocument<Doc> | undefined>;
  getMany<Doc extends Document = Document>(
    collection: NameOf<Doc>,
    ids: readonly string[],
  ): Promise<readonly StoredDocument<Doc>[]>;
  find<Doc extends Document = Document, Index extends string = string>(
    collection: NameOf<Doc, Index>,
    query: Find<NoInfer<Index>>,
  ): Promise<Found<Doc>>;
  /**
   * Documents of one scope in which every prefix is the beginning of some word. Only for collections that declare
   * `search`.
   * @throws SearchNotReady
   */
  search<Doc extends Document = Document>(collection: NameOf<Doc>, query: Search): Promise<Found<Doc>>;
  /**
   * Documents that `find` would go through, by the same index.
   * @param atMost counting ends there, so that its cost has a bound however long the list is; left out: to the end
   */
  count<Index extends string = string>(
    collection: NameOf<Document, Index>,
    index: NoInfer<Index>,
    equals: readonly IndexValue[],
    atMost?: number,
  ): Promise<number>;
  /**
   * Guarded writes outside a projection (delivery log and the like). Returns the ids of the documents that stay as they
   * are, because the stored version is the same or higher.
   */
  write<Doc extends Document = Document>(
    collection: NameOf<Doc>,
    writes: readonly DocumentWrite<NoInfer<Doc>>[],
    options?: WriteOptions,
  ): Promise<readonly string[]>;
  /**
   * As `write`, where a store of one process need not write at once: its reads show the documents from then on. After a
   * crash they may be missing, so whatever they came from must be kept until `durable` resolves.
   */
  writeSoon<Doc extends Document = Document>(
    collection: NameOf<Doc>,
    writes: readonly DocumentWrite<NoInfer<Doc>>[],
  ): Promise<WrittenSoon>;
  /** Position up to which a projection has been applied; `START` when never. */
  checkpoint(projection: string): Promise<Position>;
  /**
   * Writes the documents, then the checkpoint; atomically where the store can. @throws CheckpointMoved, DocumentMoved
   */
  commit(collection: string, change: ProjectionCommit): Promise<void>;
  /**
   * Commits of different projections in as few writes as possible: all documents first, then all checkpoints in the
   * order given. After DocumentMoved no checkpoint has moved. After CheckpointMoved, other checkpoints may have moved.
   * @throws CheckpointMoved, DocumentMoved
   */
  commitAll(changes: readonly CollectionCommit[]): Promise<void>;
  /**
   * Moves a checkpoint, where a store of one process need not write it at once: its reads show the new position from
   * then on. After a crash it may be the earlier one, from which the work is done again.
   * @throws CheckpointMoved
   */
  moveSoon(move: Omit<ProjectionCommit, 'writes'> & { readonly collection: string }): Promise<void>;
}

/** What became of a write whose documents may become durable later. */
export interface WrittenSoon {
  /** Ids of the documents that stay as they are, because the known version is the same or higher. */
  readonly refused: readonly string[];
  /** Resolves when the documents are durable; later where the store can't write for the moment. It does not reject. */
  readonly durable: Promise<void>;
}

export interface WriteOptions {
  /**
   * Where a write is a request to a server, it may wait a moment to share one with other writes that may: some hundredths
   * of a second under load, not at all otherwise. Default: it is sent at once.
   */
  readonly gather?: boolean;
}

/** How long a process may keep using the generation that was live before, in milliseconds. */
export const STALE_GENERATION_MS = 5_000;

export interface Address {
  readonly name: string;
  readonly version: number | null;
  readonly generation: number | null;
}

const ADDRESS = /^([^@#]+)(?:@(\d+)(?:#(\d+))?)?$/;

/** Null when the text is not the address of a collection. */
export function parseAddress(text: string): Address | null {
  const [, name, version, generation] = ADDRESS.exec(text) ?? [];
  if (name === undefined) return null;
  return {
    name,
    version: version === undefined ? null : Number(version),
    generation: generation === undefined ? null : Number(generation),
  };
}

/** Address of exactly one generation, live or not. */
export const generationAddress = ({ name, version }: CollectionVersion, generation: number): string =>
  `${name}@${version}#${generation}`;

/** Name under which stores keep a generation. The first one has the name it had before generations existed. */
export const storedName = ({ name, version }: CollectionVersion, generation: number): string =>
  generation === 1 ? `${name}@${version}` : `${name}@${version}#${generation}`;

/** Each version once, even when it has several copies. */
export const versionsAmong = (copies: readonly CollectionVersion[]): readonly CollectionVersion[] => [
  ...new Map(copies.map(({ name, version }) => [`${name}@${version}`, { name, version }])).values(),
];

/** Addresses of all copies of a collection, the live one first. */
export async function copiesOf(
  readModels: Pick<ReadModels, 'generations'>,
  collection: string,
): Promise<readonly string[]> {
  const { version, live, all } = await readModels.generations(collection);
  const { name } = parseAddress(collection)!;
  const others = all.filter((generation) => generation !== live);
  return [collection, ...others.map((generation) => generationAddress({ name, version }, generation))];
}
