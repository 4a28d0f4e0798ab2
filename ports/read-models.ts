/**
 * Documents for every GET. Narrow on purpose: no query language leaks out, so that two very different stores can
 * serve it alike.
 */
import { StoreUnavailable, type Position } from './event-store.js';

export type Document = Readonly<Record<string, unknown>>;
export type IndexValue = string | number | null;

/** In types alone: a name is a string at run time. */
declare const SHAPE: unique symbol;

/**
 * Name of a collection that holds documents of one type, found by these indexes. `CollectionName<Doc>` takes one with any
 * indexes.
 */
export type CollectionName<Doc extends Document, Index extends string = never> = string & {
  readonly [SHAPE]: { readonly doc: Doc; readonly index: (index: Index) => void };
};

/** A plain string (`orders@3#2`) says nothing of its documents, so nobody can claim a type for them. */
export type NameOf<Doc extends Document, Index extends string = never> =
  CollectionName<Doc, Index> | (string extends keyof Doc ? string : never);

export interface CollectionSpec {
  readonly name: string;
  /** A new version is a new, empty collection beside the old one. */
  readonly version: number;
  /** One of several copies of this version (see docs/projections.md). Left out: the one that is live, at first 1. */
  readonly generation?: number;
  /**
   * Each index is a list of top-level fields of the document: equality on the first ones, order by the next, and
   * the document id as the last resort. Every field must be a string, a number or null.
   */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Makes `search` possible. */
  readonly search?: SearchSpec;
  /** Makes `forgetRemoved` possible. Left out: ids and versions of removed documents are kept for ever. */
  readonly forgets?: true;
}

export interface SearchSpec {
  /** Field that every search is confined to: the company. A string. */
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
  /** `null` removes the document; its version is kept until it is forgotten, so that an older write can't bring it back. */
  readonly doc: Doc | null;
  /** Written only when the stored version is lower (strings compare). */
  readonly version: string;
  /**
   * Version that the new content was made from, `''` where no document could be read (there never was one, or it has been
   * removed). A commit that finds another live document there, of a version lower than `version`, is refused with
   * DocumentMoved before its checkpoint moves. Left out: only `version` counts.
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

/** Somebody wrote a document between the load and the commit; nothing of the checkpoint moved. Load again, fold again. */
export class DocumentMoved extends Error {
  override readonly name = 'DocumentMoved';
}

/** What is stored of one document is no JSON: the disk damaged it, or somebody wrote into the store. */
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

/** For what goes through all documents: one that is damaged must not keep it from the others. */
export function readableOrNull(text: string): Document | null {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return null;
  }
}

/** Not all documents can be found yet: the store is still gathering their words, and goes on by itself. */
export class SearchNotReady extends StoreUnavailable {
  /** @param done share of the documents that can, below 1 */
  constructor(
    readonly collection: string,
    readonly done: number,
  ) {
    super(`the search over ${collection} is being prepared: ${Math.floor(done * 100)} % done`);
  }
}

/** Read models don't show yet what a decision is to rest on. It waits until they do, and no try is counted. */
export class ReadModelBehind extends StoreUnavailable {
  constructor(readonly models: readonly string[]) {
    super(`behind the history, so nothing is decided by what they show: ${models.join(', ')}`);
  }
}

/** The copies of one version of a collection. */
export interface Generations {
  readonly version: number;
  /** The one that `name` and `name@version` stand for. */
  readonly live: number;
  /** Every one that exists, the live one among them, ascending. */
  readonly all: readonly number[];
  /** Number for a new one. */
  readonly next: number;
}

export interface Scan {
  /** Id of the last document of the page before; null from the beginning. */
  readonly after: string | null;
  readonly limit: number;
  /** By the bytes of their ids. */
  readonly order: 'asc' | 'desc';
}

/** A slice of the removed documents whose ids and versions are still kept. */
export interface Forget {
  /** Those that are met for the first time are noted with this time. Milliseconds since the epoch. */
  readonly now: number;
  /** Those noted before this time are forgotten. */
  readonly notedBefore: number;
  /** So many of each at the most. */
  readonly limit: number;
}

export interface Forgotten {
  readonly forgotten: number;
  /** There may be more to note or to forget. */
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

/** What was to be flipped or dropped is not what it was taken for. Nothing was changed. */
export class GenerationMoved extends Error {
  override readonly name = 'GenerationMoved';
}

/**
 * Everywhere below a collection is addressed as `orders` (the version defined last in this process), `orders@3` (that
 * version) or `orders@3#2` (one generation of it). The first two stand for the live generation; a process that did not
 * flip it itself may go on using the one before for a bounded time (`STALE_GENERATION_MS`), in which that one must be
 * kept in step. Checkpoints of projections are addressed in the same way, `name@version#generation`.
 */
export interface ReadModels {
  /** Creates what is missing. Called once for each collection before it is used. */
  define(spec: CollectionSpec): Promise<void>;
  /** Asked of the store each time. The first generation of a version always counts as existing until it is dropped. */
  generations(collection: string): Promise<Generations>;
  /**
   * Makes another generation the live one: one atomic write, seen by this process when it resolves and by others within
   * STALE_GENERATION_MS. @throws GenerationMoved when `from` is not live, or there is no `to`
   */
  flip(collection: string, change: { readonly from: number; readonly to: number }): Promise<void>;
  /** Removes a generation, its documents and its checkpoint. May be repeated. @throws GenerationMoved when it is live */
  drop(spec: CollectionSpec & { readonly generation: number }): Promise<void>;
  /** Every version of every collection that lies in the store: of this release, and of those before and after it. */
  versions(): Promise<readonly CollectionVersion[]>;
  /**
   * Removes a version with all its copies, their documents and checkpoints. May be repeated.
   * @throws GenerationMoved when it is defined in this process
   */
  dropVersion(version: CollectionVersion): Promise<void>;
  /**
   * Removes documents from every copy of every version that is not defined in this process: other releases left it, or
   * run beside this one. Of a removed document its id and a version above the one it had are kept. Answers how many went.
   */
  removeElsewhere(goes: (document: ScannedDocument) => boolean): Promise<number>;
  /**
   * Forgets documents of the live copy that were removed long ago: from then on an older write brings one back. A document
   * that was written again and removed again is noted anew. Only for collections that declare `forgets`.
   */
  forgetRemoved(collection: string, slice: Forget): Promise<Forgotten>;
  /** Live documents in the order of their ids: for looking through a whole collection. */
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
   * Documents of one scope that have every prefix among their words. Only for collections that declare `search`.
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
  /** Guarded writes outside a projection (delivery log and the like). */
  write<Doc extends Document = Document>(
    collection: NameOf<Doc>,
    writes: readonly DocumentWrite<NoInfer<Doc>>[],
  ): Promise<void>;
  /** Position up to which a projection has been applied; `START` when never. */
  checkpoint(projection: string): Promise<Position>;
  /** Documents first, then the checkpoint, atomically where the store can. @throws CheckpointMoved, DocumentMoved */
  commit(collection: string, change: ProjectionCommit): Promise<void>;
  /**
   * Commits of different projections, as few writes: all documents first, then all checkpoints in the order given.
   * Nothing of the checkpoints has moved when it is refused with DocumentMoved; with CheckpointMoved, others may have.
   * @throws CheckpointMoved, DocumentMoved
   */
  commitAll(changes: readonly CollectionCommit[]): Promise<void>;
}

/** How long a process may go on using the generation that was live before, milliseconds. */
export const STALE_GENERATION_MS = 5_000;

export interface Address {
  readonly name: string;
  readonly version: number | null;
  readonly generation: number | null;
}

const ADDRESS = /^([^@#]+)(?:@(\d+)(?:#(\d+))?)?$/;

/** Null for what is no address of a collection. */
export function parseAddress(text: string): Address | null {
  const [, name, version, generation] = ADDRESS.exec(text) ?? [];
  if (name === undefined) return null;
  return {
    name,
    version: version === undefined ? null : Number(version),
    generation: generation === undefined ? null : Number(generation),
  };
}

/** Of exactly one generation, whichever is live. */
export const generationAddress = ({ name, version }: CollectionVersion, generation: number): string =>
  `${name}@${version}#${generation}`;

/** Name under which a generation is kept by stores. The first one has the name it had before there were others. */
export const storedName = ({ name, version }: CollectionVersion, generation: number): string =>
  generation === 1 ? `${name}@${version}` : `${name}@${version}#${generation}`;

/** Each version once, of any number of copies. */
export const versionsAmong = (copies: readonly CollectionVersion[]): readonly CollectionVersion[] => [
  ...new Map(copies.map(({ name, version }) => [`${name}@${version}`, { name, version }])).values(),
];

/** Every copy of a collection there is, the live one first. */
export async function copiesOf(
  readModels: Pick<ReadModels, 'generations'>,
  collection: string,
): Promise<readonly string[]> {
  const { version, live, all } = await readModels.generations(collection);
  const { name } = parseAddress(collection)!;
  const others = all.filter((generation) => generation !== live);
  return [collection, ...others.map((generation) => generationAddress({ name, version }, generation))];
}
