/** Reads the events that the server has kept, page by page. */
import { number, part } from '../answer.js';
import { EXIT, Failure } from '../failure.js';
import type { KeySession } from '../session.js';
import { envelopeOf, type Envelope } from './envelope.js';

/** The API's maximum page size. */
const PAGE = 100;

export interface Wanted {
  /** Sequence of an event; undefined: from the oldest that is kept. */
  readonly after: number | undefined;
  /** Comma-separated; undefined: all. */
  readonly types: string | undefined;
  readonly limit: number;
}

export interface Stopped {
  /** What to read after. */
  readonly after: number;
  readonly more: boolean;
  /** The next event cannot be made yet. */
  readonly waiting: boolean;
}

/** @throws Failure when the server refuses, or its answer is not a page of events */
export async function readPages(
  { client }: KeySession,
  { after, types, limit }: Wanted,
  onEvent: (envelope: Envelope) => void,
): Promise<Stopped> {
  let left = limit;
  let from = after;
  for (;;) {
    const query = { after: from, types, limit: Math.min(PAGE, left) };
    const chunks: Uint8Array[] = [];
    for await (const chunk of client.stream('/events', query, { headers: { accept: 'application/json' } })) {
      chunks.push(chunk);
    }
    const { events, meta } = pageIn(Buffer.concat(chunks).toString('utf8'));
    for (const line of events) onEvent(envelopeOf(Buffer.from(line)));
    left -= events.length;
    const stopped = {
      after: number(meta['next_after']),
      more: meta['more'] === true,
      waiting: meta['waiting'] === true,
    };
    if (!stopped.more || stopped.waiting || left <= 0) return stopped;
    from = stopped.after;
  }
}

/** Each event is a line of its own, so that its bytes need not be parsed and written again. */
function pageIn(text: string) {
  const [begin, ...lines] = text.split('\n');
  const last = begin === '{"data":[' ? lines.pop() : undefined;
  if (last?.startsWith('],"meta":') !== true) {
    throw new Failure(
      EXIT.failed,
      'The server sent no page of events.',
      'Something between may alter the answer: check the address for proxies.',
    );
  }
  const meta = part(part(JSON.parse(`{"data":[${last}`))['meta']);
  return { events: lines.map((line) => line.replace(/,$/, '')), meta };
}
