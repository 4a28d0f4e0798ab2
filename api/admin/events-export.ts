/**
 * The history as a stream of lines, for `recado events export` and for curl. The last line is `{"end": …}`. A stream
 * without it was cut off and continues with `from` at the position of its last whole line. If the server knows the
 * reason, the last line contains it: `{"error": …}`.
 */
import type { App } from '../../application/app.js';
import { exactLine } from '../../application/history/exact.js';
import type { Places } from '../../application/history/place.js';
import {
  readHistory,
  readHistoryTexts,
  type HistoryFilter,
  type HistoryPage,
  type HistoryRange,
} from '../../application/history/read.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { EventDamaged } from '../../ports/event-store.js';
import type { HistoryTexts, TextRecord } from '../../ports/history-texts.js';
import type { Call } from '../middleware/call.js';
import { boundsOf, filterOf } from './events.js';
import { createPieces } from './line-pieces.js';
import { createMaskedLines } from './masked-lines.js';
import { presentOpenEvent } from './masking.js';
import type { AdminHandlers } from './support.js';

export function exportRoutes(app: App, places: Places, texts: HistoryTexts): AdminHandlers {
  const maskedLine = createMaskedLines(app);

  async function* lines(...asked: Parameters<typeof linesOf>): AsyncGenerator<Uint8Array> {
    try {
      yield* linesOf(...asked);
    } catch (error) {
      // A caller that may read the whole history may also learn that it is damaged.
      if (!(error instanceof EventDamaged)) throw error;
      throw new Refusal('history_damaged', `The history can not be read: ${error.message}.`);
    }
  }

  async function* linesOf(
    range: HistoryRange,
    filter: HistoryFilter,
    kind: Kind,
  ): AsyncGenerator<Uint8Array> {
    const pieces = createPieces();
    let end = { events: 0, position: '' };
    const count = ({ records, position }: HistoryPage<unknown>): void => {
      end = { events: end.events + records.length, position };
    };
    if (kind === 'personal') {
      for await (const page of readHistory(app.store, range, filter)) {
        count(page);
        const opened = await app.codec.decodeAll(page.records);
        yield* pieces.of(opened, (recorded) => `${JSON.stringify(presentOpenEvent(recorded))}\n`);
      }
    } else {
      const line = kind === 'exact' ? exactText : maskedLine;
      for await (const page of readHistoryTexts(texts, range, filter)) {
        count(page);
        yield* pieces.of(page.records, line);
      }
    }
    const last = { end: { ...end, position: end.position || null } };
    yield* pieces.of([last], (value) => `${JSON.stringify(value)}\n`);
  }

  return {
    exportEvents: async (call) => {
      const { after, upTo } = await boundsOf(app, places, call);
      const kind = kindOf(call);
      if (kind === 'personal') noteDisclosure(app, call);
      const range = { after, upTo: upTo ?? (await app.store.head()) };
      return { status: 200, lines: lines(range, filterOf(call), kind) };
    },
  };
}

const exactText = (record: TextRecord): string => `${exactLine(record)}\n`;

type Kind = 'masked' | 'personal' | 'exact';

const kindOf = ({ query }: Call): Kind =>
  query['exact'] === true ? 'exact' : query['include_personal'] === true ? 'personal' : 'masked';

/** Logs the range of an export with personal data: the history has that it was asked for, and no more. */
function noteDisclosure({ logger }: Pick<App, 'logger'>, { requestId, caller, query }: Call): void {
  const { from, to, types, company } = query;
  logger.warn(
    { request_id: requestId, actor: caller.actor, from, to, types, company },
    'personal data was asked for in an export of the history',
  );
}
