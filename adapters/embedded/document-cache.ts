/**
 * Cache of documents and small query results that were read or written lately. There is one writer, and reads never
 * happen inside another's transaction, so the cache always equals the file. A rollback empties it.
 */
import { createCache } from '../../ports/cache.js';
import type { Find, Found, StoredDocument } from '../../ports/read-models.js';

export interface DocumentCache {
  get(table: string, id: string): StoredDocument<unknown> | undefined;
  put(table: string, document: StoredDocument<unknown>): void;
  drop(table: string, id: string): void;
  clear(): void;
}

/** A message has about six that are cached. */
const MAX_DOCUMENTS = 6_000;

export function createDocumentCache(): DocumentCache {
  const documents = createCache<string, StoredDocument<unknown>>(MAX_DOCUMENTS);
  const key = (table: string, id: string): string => `${table}/${id}`;
  return {
    get: (table, id) => documents.get(key(table, id)),
    put: (table, document) => void documents.set(key(table, document.id), document),
    drop: (table, id) => void documents.delete(key(table, id)),
    clear: () => documents.clear(),
  };
}

export interface QueryCache {
  get(query: Find): Found<unknown> | undefined;
  put(query: Find, found: Found<unknown>): void;
  /** Called when anything in the collection changed: every result may be outdated. */
  clear(): void;
}

const MAX_QUERIES = 500;

/** Worthwhile for collections that are queried often and change rarely: channels, endpoints, templates, keys. */
export function createQueryCache(): QueryCache {
  let results = new Map<string, Found<unknown>>();
  return {
    get: (query) => (results.size === 0 ? undefined : results.get(JSON.stringify(query))),
    put(query, found) {
      if (results.size >= MAX_QUERIES) results = new Map();
      results.set(JSON.stringify(query), found);
    },
    clear() {
      if (results.size > 0) results = new Map();
    },
  };
}
