/**
 * The history as a stream of lines, for `recado events export` and for curl. The last line is `{"end": …}`: a stream
 * without it was cut off, and goes on with `from` at the position of its last whole line.
 */
import type { App } from '../../application/app.js';
import { exactLine } from '../../application/history/exact.js';
import type { Places } from '../../application/history/place.js';
import { readHistory } from '../../application/history/read.js';
import type { StoredRecord } from '../../ports/event-store.js';
import type { Call } from '../middleware/call.js';
import { boundsOf, filterOf } from './events.js';
import { presentEvent, presentOpenEvent } from './masking.js';
import type { AdminHandlers } from './support.js';

type Lines = (records: readonly StoredRecord[]) => string | Promise<string>;

export const exportRoutes = (app: App, places: Places): AdminHandlers => ({
  exportEvents: async (call) => {
    const { after, upTo } = await boundsOf(app, places, call);
    const personal = call.query['include_personal'] === true;
    const filter = filterOf(call);
    const range = { after, upTo: upTo ?? (await app.store.head()) };
    if (personal) noteDisclosure(app, call);
    const toLines = call.query['exact'] === true ? exactLines : personal ? openLines(app) : maskedLines(app);
    return { status: 200, lines: lines(readHistory(app.store, range, filter), toLines) };
  },
});

async function* lines(pages: ReturnType<typeof readHistory>, toLines: Lines): AsyncGenerator<string> {
  let events = 0;
  let position = '';
  for await (const page of pages) {
    position = page.position;
    if (page.records.length === 0) continue;
    events += page.records.length;
    yield await toLines(page.records);
  }
  yield `${JSON.stringify({ end: { events, position: position === '' ? null : position } })}\n`;
}

const maskedLines =
  ({ registry }: Pick<App, 'registry'>): Lines =>
  (records) => {
    let text = '';
    for (const record of records) text += `${JSON.stringify(presentEvent(registry, record))}\n`;
    return text;
  };

const exactLines: Lines = (records) => records.map((record) => `${exactLine(record)}\n`).join('');

const openLines =
  ({ codec }: Pick<App, 'codec'>): Lines =>
  async (records) => {
    const opened = await codec.decodeAll(records);
    return opened.map((recorded) => `${JSON.stringify(presentOpenEvent(recorded))}\n`).join('');
  };

/** Who took personal data out, and which: the one trace that there is of it afterwards. */
function noteDisclosure({ logger }: Pick<App, 'logger'>, { requestId, caller, query }: Call): void {
  const { from, to, types, company } = query;
  logger.warn(
    { request_id: requestId, actor: caller.actor, from, to, types, company },
    'personal data was asked for in an export of the history',
  );
}
