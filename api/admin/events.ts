import type { App } from '../../application/app.js';
import { untilNews } from '../../application/history/follow.js';
import type { Places } from '../../application/history/place.js';
import { isWanted, narrowing, type HistoryFilter } from '../../application/history/read.js';
import { describeEvents } from '../../application/history/types.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { START, type Position, type StoredRecord } from '../../ports/event-store.js';
import { queryText, type Call } from '../middleware/call.js';
import { one, pageOf } from '../routes/replies.js';
import { presentEvent } from './masking.js';
import { unpaged, uuidParameter, type AdminHandlers } from './support.js';

/**
 * Most records to read for one page. A filter that matches few events ends the page early; the cursor continues there.
 */
const SCAN = 5_000;
const BATCH = 500;

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
    const filter = filterOf(call);
    const { after, upTo } = await boundsOf(app, places, call);
    const wait = Number(call.query['wait'] ?? 0);
    let page = await eventPage(app, call, filter, after, upTo);
    if (wait > 0 && page.records.length === 0 && page.next === null && upTo === null) {
      await untilNews(app, { after: page.position, filter, ms: wait * 1000, stopping });
      page = await eventPage(app, call, filter, page.position, upTo);
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
  return { after, upTo: upTo < head ? upTo : head };
}

/** In the order of the history. The cursor is a position, so a caller can continue from any event. */
async function eventPage(
  app: App,
  call: Call,
  filter: HistoryFilter,
  begin: Position,
  upTo: Position | null,
): Promise<EventPage> {
  const { after, limit } = pageOf(call);
  const stream = queryText(call.query, 'stream');
  const cursor = (after ?? START) as Position;
  const from = cursor > begin ? cursor : begin;
  try {
    if (after !== undefined) app.store.sequenceOf(cursor);
    return stream === undefined
      ? await fromHistory(app, from, upTo, limit, filter)
      : await fromStream(app, stream, from, upTo, limit, filter);
  } catch (error) {
    // Only the store can decide whether a position is one of its own.
    if (!(error instanceof TypeError) || after === undefined) throw error;
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
  after: Position,
  upTo: Position | null,
  limit: number,
  filter: HistoryFilter,
): Promise<EventPage> {
  const wanted = isWanted(filter);
  const narrowed = narrowing(filter);
  const records: StoredRecord[] = [];
  let from = after;
  for (let scanned = 0; scanned < SCAN; scanned += BATCH) {
    const page = await app.store.readAll({ after: from, limit: BATCH, ...narrowed });
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

async function fromStream(
  app: App,
  stream: string,
  after: Position,
  upTo: Position | null,
  limit: number,
  filter: HistoryFilter,
): Promise<EventPage> {
  const wanted = isWanted(filter);
  const found = (await app.store.read(stream)).filter(
    (record) => record.position > after && (upTo === null || record.position <= upTo) && wanted(record),
  );
  const records = found.slice(0, limit);
  const last = records[records.length - 1]?.position ?? after;
  return { records, next: found.length > limit ? last : null, position: last };
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
