/**
 * Documents for every GET. Narrow on purpose: no query language leaks out, so that two very different stores can
 * serve it alike.
 */
import type { Position } from './event-store.js';

export type Document = Readonly<Record<string, unknown>>;
export type IndexValue = string | number | null;

export interface CollectionSpec {
  readonly name: string;
  /** A new version is a new, empty collection beside the old one. */
  readonly version: number;
  /**
   * Each index is a list of top-level fields of the document: equality on the first ones, order by the next, and
   * the document id as the last resort. Every field must be a string, a number or null.
   */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Makes `search` possible. */
  readonly search?: SearchSpec;
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

export interface DocumentWrite {
  readonly id: string;
  /** `null` removes the document; its version is kept, so that an older write can't bring it back. */
  readonly doc: Document | null;
  /** Written only when the stored version is lower (strings compare). */
  readonly version: string;
  /**
   * Version that the new content was made from, `''` where no document could be read (there never was one, or it has been
   * removed). A commit that finds another live document there, of a version lower than `version`, is refused with
   * DocumentMoved before its checkpoint moves. Left out: only `version` counts.
   */
  readonly base?: string;
}

export interface Find {
  readonly index: string;
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

export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** Somebody wrote a document between the load and the commit; nothing of the checkpoint moved. Load again, fold again. */
export class DocumentMoved extends Error {
  override readonly name = 'DocumentMoved';
}

export interface ReadModels {
  /** Creates what is missing. Called once for each collection before it is used. */
  define(spec: CollectionSpec): Promise<void>;
  get<T>(collection: string, id: string): Promise<StoredDocument<T> | undefined>;
  getMany<T>(collection: string, ids: readonly string[]): Promise<readonly StoredDocument<T>[]>;
  find<T>(collection: string, query: Find): Promise<Found<T>>;
  /** Documents of one scope that have every prefix among their words. Only for collections that declare `search`. */
  search<T>(collection: string, query: Search): Promise<Found<T>>;
  count(collection: string, index: string, equals: readonly IndexValue[]): Promise<number>;
  /** Guarded writes outside a projection (delivery log and the like). */
  write(collection: string, writes: readonly DocumentWrite[]): Promise<void>;
  /** Position up to which a projection has been applied; `START` when never. */
  checkpoint(projection: string): Promise<Position>;
  /** Documents first, then the checkpoint, atomically where the store can. @throws CheckpointMoved, DocumentMoved */
  commit(collection: string, change: ProjectionCommit): Promise<void>;
}
