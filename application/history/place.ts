/**
 * Positions in the history as people specify them: a position, or a time.
 *
 * A time stands for the position just before the first event recorded at or after it, in the order of the history. So
 * ranges that share an end share no event and omit none, even where the clocks of several processes made times deviate
 * slightly from that order.
 */
import { parseInstant } from '../../domain/kernel/instant.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { START, type EventStore, type Position, type StoredRecord } from '../../ports/event-store.js';
import { yieldToEventLoop } from '../../ports/waiting.js';

export interface Places {
  /**
   * Events after the returned position are at or after the given place.
   * @param name name of the parameter, for the refusal
   * @throws Refusal validation_failed, invalid_cursor
   */
  resolve(text: string, name: string): Promise<Position>;
  /** Events after the returned position have this sequence or a higher one. */
  atSequence(sequence: number): Promise<Position>;
}

/** A position with its time, cached from an earlier search: the next search starts there. */
interface Anchor {
  readonly position: Position;
  /** The latest time of any event up to the position, epoch milliseconds. */
  readonly latest: number;
}

const BEGINNING: Anchor = { position: START, latest: -Infinity };

const PAGE = 1_000;
/** Pages between two anchors, so that a million events give a hundred anchors. */
const ANCHOR_EVERY = 10;
/** `2026-11-20`, or a date-time with its offset. No store has positions of this form. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Epoch milliseconds of a place that is a time; NaN of any other. */
export const timeOfPlace = (text: string): number => (TIME.test(text) ? parseInstant(text) : NaN);

export function createPlaces(store: Pick<EventStore, 'readAll' | 'sequenceOf' | 'head'>): Places {
  const anchors: Anchor[] = [BEGINNING];

  async function before(
    isEarlier: (anchor: Anchor) => boolean,
    isReached: (record: StoredRecord) => boolean,
  ): Promise<Position> {
    let { position, latest } = anchors.findLast(isEarlier) ?? BEGINNING;
    for (let pages = 1; ; pages += 1) {
      const page = await store.readAll({ after: position, limit: PAGE });
      for (const record of page.records) {
        if (isReached(record)) return position;
        position = record.position;
        latest = Math.max(latest, Date.parse(record.meta.occurred_at));
      }
      position = page.next;
      if (page.atEnd) return position;
      const last = anchors.at(-1) ?? BEGINNING;
      if (pages % ANCHOR_EVERY === 0 && position > last.position) anchors.push({ position, latest });
      await yieldToEventLoop();
    }
  }

  /** Positions of one store compare as strings, so all of them have the same length. */
  async function isPosition(position: Position): Promise<boolean> {
    try {
      store.sequenceOf(position);
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
    const head = await store.head();
    return head === START || position.length === head.length;
  }

  return {
    async resolve(text, name) {
      if (TIME.test(text)) {
        const time = parseInstant(text);
        if (Number.isNaN(time)) throw invalid(name, 'is no time that exists.');
        return before(
          ({ latest }) => latest < time,
          ({ meta }) => Date.parse(meta.occurred_at) >= time,
        );
      }
      const position = text as Position;
      if (await isPosition(position)) return position;
      throw invalid(
        name,
        'is neither a position of the history nor an ISO 8601 time such as 2026-11-20T00:00:00Z.',
      );
    },

    atSequence: (sequence) =>
      before(
        ({ position }) => position === START || store.sequenceOf(position) < sequence,
        ({ position }) => store.sequenceOf(position) >= sequence,
      ),
  };
}

const invalid = (name: string, message: string): Refusal =>
  new Refusal('validation_failed', `The parameter "${name}" names no place in the history.`, {
    fields: [{ path: `query.${name}`, code: 'invalid_place', message }],
  });
