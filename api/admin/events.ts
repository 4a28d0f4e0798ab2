import type { App } from '../../application/app.js';
import { aggregates } from '../../domain/catalog.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { START, type Position, type StoredRecord } from '../../ports/event-store.js';
import type { Call } from '../middleware/call.js';
import { pageOf } from '../routes/replies.js';
import { presentEvent } from './masking.js';
import { unpaged, uuidParameter, type AdminHandlers } from './support.js';

/** Records looked at for one page. A filter that hides more ends the page early; the cursor goes on from there. */
const SCAN = 5_000;
const BATCH = 500;

interface EventPage {
  readonly records: readonly StoredRecord[];
  readonly next: Position | null;
}

export const eventRoutes = (app: App): AdminHandlers => ({
  listEvents: async (call) => {
    const { records, next } = await eventPage(app, call);
    return {
      status: 200,
      body: {
        data: records.map((record) => presentEvent(app.registry, record)),
        meta: { next_cursor: next },
      },
    };
  },

  listEventTypes: async () =>
    unpaged(
      aggregates.flatMap(({ stream, events }) =>
        events.map(({ type, version, personal, when }) => ({
          type,
          version,
          aggregate: stream.category,
          description: when,
          personal_fields: personal.map((name) => `/${name}`),
        })),
      ),
    ),
});

/** In the order of the history. The cursor is a position, so that any event seen is a place to go on from. */
async function eventPage(app: App, call: Call): Promise<EventPage> {
  const { after, limit } = pageOf(call);
  const types = typesOf(call);
  const company = uuidParameter(call, 'company');
  const stream = call.query['stream'] as string | undefined;
  const wanted = ({ type, meta }: StoredRecord): boolean =>
    (types === null || types.has(type)) && (company === undefined || meta.company === company);
  const from = (after ?? START) as Position;
  try {
    return stream === undefined
      ? await fromHistory(app, from, limit, wanted)
      : await fromStream(app, stream, from, limit, wanted);
  } catch (error) {
    // Only the store can tell whether a position is one of its own.
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
  limit: number,
  wanted: (record: StoredRecord) => boolean,
): Promise<EventPage> {
  const records: StoredRecord[] = [];
  let from = after;
  for (let scanned = 0; scanned < SCAN; scanned += BATCH) {
    const page = await app.store.readAll({ after: from, limit: BATCH });
    for (const record of page.records) {
      if (!wanted(record)) continue;
      if (records.length === limit) return { records, next: records[limit - 1]!.position };
      records.push(record);
    }
    if (page.atEnd) return { records, next: null };
    from = page.next;
  }
  return { records, next: from };
}

async function fromStream(
  app: App,
  stream: string,
  after: Position,
  limit: number,
  wanted: (record: StoredRecord) => boolean,
): Promise<EventPage> {
  app.store.sequenceOf(after);
  const found = (await app.store.read(stream)).filter((record) => record.position > after && wanted(record));
  const records = found.slice(0, limit);
  return { records, next: found.length > limit ? records[limit - 1]!.position : null };
}

function typesOf(call: Call): ReadonlySet<string> | null {
  const text = call.query['types'] as string | undefined;
  return text === undefined
    ? null
    : new Set(
        text
          .split(',')
          .map((type) => type.trim())
          .filter((type) => type !== ''),
      );
}
