/** The history from one place to another, page by page, so that its length is nobody's memory. */
import { aggregates } from '../../domain/catalog.js';
import type { EventStore, Position, StoredRecord } from '../../ports/event-store.js';
import { nextTurn } from './turn.js';

export interface HistoryFilter {
  /** Null: all. */
  readonly types: ReadonlySet<string> | null;
  readonly company: string | null;
}

export interface HistoryRange {
  /** Exclusive. */
  readonly after: Position;
  /** Inclusive. */
  readonly upTo: Position;
}

export interface HistoryPage {
  readonly records: readonly StoredRecord[];
  /** How far the history has been looked at. */
  readonly position: Position;
}

/** Some milliseconds of work: what a request waits at the most beside an export. Few enough for events of 700 kB. */
const PAGE = 200;

export const EVERYTHING: HistoryFilter = { types: null, company: null };

export const isWanted =
  ({ types, company }: HistoryFilter) =>
  ({ type, meta }: StoredRecord): boolean =>
    (types === null || types.has(type)) && (company === null || meta.company === company);

/** Streams that events of these types lie in: the store passes over the others without reading them. */
export function prefixesOf({ types }: HistoryFilter): readonly string[] | undefined {
  if (types === null) return undefined;
  const found = aggregates.filter(({ events }) => events.some(({ type }) => types.has(type)));
  const known = new Set<string>(found.flatMap(({ events }) => events.map(({ type }) => type)));
  // A type that is in no catalogue any more may lie anywhere.
  if ([...types].some((type) => !known.has(type))) return undefined;
  return found.map(({ stream }) => stream.prefix);
}

/**
 * Pages of what is wanted, in order, up to the end of the range. The page size is a bound; a page may be empty.
 * @throws StoreUnavailable
 */
export async function* readHistory(
  store: Pick<EventStore, 'readAll'>,
  { after, upTo }: HistoryRange,
  filter: HistoryFilter = EVERYTHING,
): AsyncGenerator<HistoryPage> {
  const wanted = isWanted(filter);
  const prefixes = prefixesOf(filter);
  for (let from = after; from < upTo;) {
    const page = await store.readAll({ after: from, limit: PAGE, ...(prefixes ? { prefixes } : {}) });
    const within =
      page.next <= upTo ? page.records : page.records.filter((record) => record.position <= upTo);
    const ends = page.next >= upTo || page.atEnd;
    yield { records: within.filter(wanted), position: ends ? upTo : page.next };
    if (ends) return;
    from = page.next;
    await nextTurn();
  }
}
