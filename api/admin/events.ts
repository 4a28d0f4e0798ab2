import type { App } from '../../application/app.js';
import { untilNews } from '../../application/history/follow.js';
import { timeOfPlace, type Places } from '../../application/history/place.js';
import { isWanted, narrowing, type HistoryFilter } from '../../application/history/read.js';
import { describeEvents } from '../../application/history/types.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { START, type Position, type StoredRecord } from '../../ports/event-store.js';
import { reversedRange } from '../middleware/query-time.js';
import { queryText, type Call } from '../middleware/call.js';
import { one, pageOf } from '../routes/replies.js';
import { presentEvent } from './masking.js';
import { unpaged, uuidParameter, type AdminHandlers } from './support.js';

/**
 * Most records to read for one page. A filter that matches few events ends the page early; the cursor continues there.
 */
const SCAN = 5_000;
const BATCH = 500;

/**
 * Most records to read at once, in turn. Where all match, the first read is the whole page: with the record that tells
 * whether more follow, and one where the page begins that does not count.
 */
function* batches(limit: number): Generator<number> {
  const first = Math.min(BATCH, limit + 2);
  yield first;
  for (let scanned = first; scanned < SCAN; scanned += BATCH) yield BATCH;
}

/** What the pages of a list have in common. */
interface Search {
  readonly filter: HistoryFilter;
  readonly wanted: (record: StoredRecord) => boolean;
  readonly stream: string | undefined;
  readonly limit: number;
}

interface EventPage {
  readonly records: readonly StoredRecord[];
  readonly next: Position | null;
  /** Position up to which the history was read. */
  readonly position: Position;
}

interface Deps {
  readonly places: Places;
  /** Aborted when the process stops, so that long-polling requests end. */
  readonly stopping: AbortSignal;
}

export const eventRoutes = (app: App, { places, stopping }: Deps): AdminHandlers => ({
  listEvents: async (call) => {
    const search = searchOf(call);
    const { after, upTo } = await boundsOf(app, places, call);
    const wait = Number(call.query['wait'] ?? 0);
    const newestFirst = call.query['order'] === 'desc';
    let page = await (newestFirst ? pageBack : pageOn)(app, call, search, after, upTo);
    if (!newestFirst && wait > 0 && page.records.length === 0 && page.next === null && upTo === null) {
      await untilNews(app, { after: page.position, filter: search.filter, ms: wait * 1000, stopping });
      page = await pageOn(app, call, search, page.position, upTo);
    }
    return {
      status: 200,
      body: {
        data: page.records.map((record) => presentEvent(app.registry, record)),
        meta: { next_cursor: page.next, position: page.position === START ? null : page.position },
      },
    };
  },

  getEventRange: async (call) => {
    const { after, upTo } = await boundsOf(app, places, call);
    const end = upTo ?? (await app.store.head());
    const reach = (position: Position): number => (position === START ? 0 : app.store.sequenceOf(position));
    return one({
      after: after === START ? null : after,
      up_to: end === START ? null : end,
      from_sequence: reach(after),
      to_sequence: Math.max(reach(after), reach(end)),
    });
  },

  listEventTypes: async () => unpaged(describeEvents()),
});

/** @throws Refusal validation_failed */
export function filterOf(call: Call): HistoryFilter {
  return { types: typesOf(call), company: uuidParameter(call, 'company') ?? null };
}

/** Start and end of the requested range; without an end, the end of the history. @throws Refusal validation_failed */
export async function boundsOf(
  { store }: Pick<App, 'store'>,
  places: Places,
  { query }: Call,
): Promise<{ readonly after: Position; readonly upTo: Position | null }> {
  const from = queryText(query, 'from');
  const to = queryText(query, 'to');
  const after = from === undefined ? START : await places.resolve(from, 'from');
  if (to === undefined) return { after, upTo: null };
  const [upTo, head] = [await places.resolve(to, 'to'), await store.head()];
  // Two times between the same two events are one position, and would not show that they are reversed.
  const reversedTimes = from !== undefined && timeOfPlace(from) > timeOfPlace(to);
  if (reversedTimes || after > upTo) throw reversedRange('from', 'to');
  return { after, upTo: upTo < head ? upTo : head };
}

function searchOf(call: Call): Search {
  const filter = filterOf(call);
  const [actor, correlation] = [queryText(call.query, 'actor'), queryText(call.query, 'correlation')];
  const isOfFilter = isWanted(filter);
  return {
    filter,
    stream: queryText(call.query, 'stream'),
    limit: pageOf(call).limit,
    wanted: (record) =>
      isOfFilter(record) &&
      (actor === undefined || record.meta.actor === actor) &&
      (correlation === undefined || record.meta.correlation_id === correlation),
  };
}

/** In the order of the history. The cursor is a position, so a caller can continue from any event. */
async function pageOn(
  app: App,
  call: Call,
  search: Search,
  begin: Position,
  upTo: Position | null,
): Promise<EventPage> {
  const after = cursorOf(app, call) ?? START;
  const from = after > begin ? after : begin;
  return search.stream === undefined
    ? fromHistory(app, search, from, upTo)
    : fromStream(app, search, search.stream, from, upTo);
}

/** Newest first. The cursor is the position of the last event of the page before. */
async function pageBack(
  app: App,
  call: Call,
  search: Search,
  begin: Position,
  upTo: Position | null,
): Promise<EventPage> {
  const after = cursorOf(app, call);
  // Read first: what is appended meanwhile comes after `position`, where a caller continues to follow.
  const position = after ?? upTo ?? (await app.store.head());
  const isReached = (record: StoredRecord): boolean =>
    record.position > begin && (after === null ? record.position <= position : record.position < after);
  return search.stream === undefined
    ? historyBack(app, search, { begin, position, before: after, isReached })
    : streamBack(app, search, search.stream, position, isReached);
}

/** @throws Refusal invalid_cursor */
function cursorOf(app: App, call: Call): Position | null {
  const { after } = pageOf(call);
  if (after === undefined) return null;
  try {
    app.store.sequenceOf(after as Position);
    return after as Position;
  } catch (error) {
    // Only the store can decide whether a position is one of its own.
    if (!(error instanceof TypeError)) throw error;
    throw new Refusal(
      'invalid_cursor',
      'This "after" is no position of the history. Start again without it.',
      {
        fields: [{ path: 'query.after', code: 'invalid_cursor', message: 'is no position of the history.' }],
      },
    );
  }
}

async function fromHistory(
  app: App,
  { filter, wanted, limit }: Search,
  after: Position,
  upTo: Position | null,
): Promise<EventPage> {
  const narrowed = narrowing(filter);
  const records: StoredRecord[] = [];
  let from = after;
  for (const batch of batches(limit)) {
    const page = await app.store.readAll({ after: from, limit: batch, ...narrowed });
    for (const record of page.records) {
      if (upTo !== null && record.position > upTo) return { records, next: null, position: upTo };
      if (!wanted(record)) continue;
      const last = records[limit - 1]?.position;
      if (last !== undefined) return { records, next: last, position: last };
      records.push(record);
    }
    from = page.next;
    if (page.atEnd) return { records, next: null, position: from };
    if (upTo !== null && from >= upTo) return { records, next: null, position: upTo };
  }
  return { records, next: from, position: from };
}

async function historyBack(
  app: App,
  { filter, wanted, limit }: Search,
  range: {
    readonly begin: Position;
    readonly position: Position;
    readonly before: Position | null;
    readonly isReached: (record: StoredRecord) => boolean;
  },
): Promise<EventPage> {
  const { begin, position, isReached } = range;
  const narrowed = narrowing(filter);
  const records: StoredRecord[] = [];
  let before = range.before ?? (await placeBehind(app, position));
  for (const batch of batches(limit)) {
    const page = await app.store.readBack({ before, limit: batch, ...narrowed });
    for (const record of page.records) {
      if (record.position <= begin) return { records, next: null, position };
      if (!isReached(record) || !wanted(record)) continue;
      const last = records[limit - 1]?.position;
      if (last !== undefined) return { records, next: last, position };
      records.push(record);
    }
    if (page.atEnd || page.next <= begin) return { records, next: null, position };
    before = page.next;
  }
  return { records, next: before, position };
}

/** The position of the next event: reading back from it includes the event at `position`. Null: there is none. */
async function placeBehind({ store }: App, position: Position): Promise<Position | null> {
  const { next } = await store.readAll({ after: position, limit: 1 });
  return next > position ? next : null;
}

async function fromStream(
  app: App,
  { wanted, limit }: Search,
  stream: string,
  after: Position,
  upTo: Position | null,
): Promise<EventPage> {
  const found = (await app.store.read(stream)).filter(
    (record) => record.position > after && (upTo === null || record.position <= upTo) && wanted(record),
  );
  const records = found.slice(0, limit);
  const last = records[records.length - 1]?.position ?? after;
  return { records, next: found.length > limit ? last : null, position: last };
}

async function streamBack(
  app: App,
  { wanted, limit }: Search,
  stream: string,
  position: Position,
  isReached: (record: StoredRecord) => boolean,
): Promise<EventPage> {
  const found = (await app.store.read(stream)).filter((record) => isReached(record) && wanted(record));
  const records = found.reverse().slice(0, limit);
  const last = records[records.length - 1]?.position;
  return { records, next: last !== undefined && found.length > limit ? last : null, position };
}

function typesOf(call: Call): ReadonlySet<string> | null {
  const text = queryText(call.query, 'types');
  return text === undefined
    ? null
    : new Set(
        text
          .split(',')
          .map((type) => type.trim())
          .filter((type) => type !== ''),
      );
}
