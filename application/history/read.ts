/** Reads the history from one position to another in pages, so that memory use does not depend on its length. */
import { aggregates } from '../../domain/catalog.js';
import type { EventStore, Position, StoredRecord } from '../../ports/event-store.js';
import type { HistoryTexts, TextRecord } from '../../ports/history-texts.js';
import { yieldToEventLoop } from '../../ports/waiting.js';

export interface HistoryFilter {
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  readonly company: string | null;
}

export interface HistoryRange {
  /** Exclusive. */
  readonly after: Position;
  /** Inclusive. */
  readonly upTo: Position;
}

export interface HistoryPage<R = StoredRecord> {
  readonly records: readonly R[];
  /** Position up to which the history was read. */
  readonly position: Position;
}

/** Some milliseconds of work, the longest that an export delays a request. Small enough for events of 700 kB. */
const PAGE = 200;

export const EVERYTHING: HistoryFilter = { types: null, company: null };

export const isWanted =
  ({ types, company }: HistoryFilter) =>
  ({ type, meta }: StoredRecord): boolean =>
    (types === null || types.has(type)) && (company === null || meta.company === company);

/** The part of a filter that a store can apply, so that it skips other events without reading them. */
export function narrowing(filter: HistoryFilter): {
  readonly prefixes?: readonly string[];
  readonly types?: readonly string[];
} {
  const prefixes = prefixesOf(filter);
  return {
    ...(prefixes ? { prefixes } : {}),
    ...(filter.types === null ? {} : { types: [...filter.types] }),
  };
}

/** Prefixes of the streams that contain events of these types; undefined for all streams. */
export function prefixesOf({ types }: HistoryFilter): readonly string[] | undefined {
  if (types === null) return undefined;
  const found = aggregates.filter(({ events }) => events.some(({ type }) => types.has(type)));
  const known = new Set<string>(found.flatMap(({ events }) => events.map(({ type }) => type)));
  // A type that no catalogue contains any more may be in any stream.
  if ([...types].some((type) => !known.has(type))) return undefined;
  return found.map(({ stream }) => stream.prefix);
}

/**
 * Pages of the matching events, in order, up to the end of the range. The page size is a maximum; a page may be empty.
 * @throws StoreUnavailable
 */
export async function* readHistory(
  store: Pick<EventStore, 'readAll'>,
  range: HistoryRange,
  filter: HistoryFilter = EVERYTHING,
): AsyncGenerator<HistoryPage> {
  const wanted = isWanted(filter);
  const narrowed = narrowing(filter);
  const read = (after: Position) => store.readAll({ after, limit: PAGE, ...narrowed });
  for await (const page of pages(read, range)) yield { ...page, records: page.records.filter(wanted) };
}

/** The same as text. @throws StoreUnavailable */
export function readHistoryTexts(
  texts: HistoryTexts,
  range: HistoryRange,
  { types, company }: HistoryFilter = EVERYTHING,
): AsyncGenerator<HistoryPage<TextRecord>> {
  const filter = { types: types === null ? undefined : [...types], company: company ?? undefined };
  return pages((after) => texts.read({ after, limit: PAGE, ...filter }), range);
}

interface Read<R> {
  readonly records: readonly R[];
  readonly next: Position;
  readonly atEnd: boolean;
}

async function* pages<R extends { readonly position: Position }>(
  read: (after: Position) => Promise<Read<R>>,
  { after, upTo }: HistoryRange,
): AsyncGenerator<HistoryPage<R>> {
  for (let from = after; from < upTo;) {
    const { records, next, atEnd } = await read(from);
    const ends = next >= upTo || atEnd;
    yield {
      records: next <= upTo ? records : records.filter(({ position }) => position <= upTo),
      position: ends ? upTo : next,
    };
    if (ends) return;
    from = next;
    await yieldToEventLoop();
  }
}
