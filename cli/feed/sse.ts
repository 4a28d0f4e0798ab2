/** Reads a stream of server-sent events byte by byte: what is signed must be exactly what the server sent. */
import { EXIT, Failure } from '../failure.js';

export interface SentEvent {
  /** For `Last-Event-ID`. */
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const MOST_BYTES = 64 * 2 ** 20;

/** What the server says between events. */
export interface Asides {
  /** The pause in milliseconds before another connection. */
  readonly onRetry: (ms: number) => void;
  /** An id without an event: the place from which to resume. */
  readonly onPlace: (id: string) => void;
}

/** @throws Failure when an event is larger than any event */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  { onRetry, onPlace }: Asides,
): AsyncGenerator<SentEvent> {
  let id = '';
  let type = '';
  let data: Buffer[] = [];

  function take(line: Buffer): SentEvent | null {
    if (line.length === 0) {
      const event = {
        id,
        type,
        data: Buffer.concat(data.flatMap((part, n) => (n === 0 ? [part] : [NEWLINE, part]))),
      };
      const complete = data.length > 0;
      [type, data] = ['', []];
      if (complete) return event;
      if (id !== '') onPlace(id);
      return null;
    }
    const colon = line.indexOf(COLON);
    // A comment: the server's sign of life.
    if (colon === 0) return null;
    const name = line.toString('utf8', 0, colon < 0 ? line.length : colon);
    const value = colon < 0 ? NOTHING : line.subarray(colon + (line[colon + 1] === SPACE ? 2 : 1));
    if (name === 'id') id = value.toString('utf8');
    if (name === 'event') type = value.toString('utf8');
    if (name === 'data') data.push(value);
    if (name === 'retry' && /^\d+$/.test(value.toString('latin1'))) onRetry(Number(value));
    return null;
  }

  for await (const line of linesOf(chunks)) {
    const event = take(line);
    if (event !== null) yield event;
  }
}

const NEWLINE = Buffer.from([LF]);
const NOTHING = Buffer.alloc(0);

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (;;) {
      const end = rest.indexOf(LF);
      if (end < 0) break;
      const line = Buffer.concat([...parts, rest.subarray(0, end)]);
      [parts, size] = [[], 0];
      yield line.at(-1) === CR ? line.subarray(0, -1) : line;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) parts.push(rest);
    size += rest.length;
    if (size > MOST_BYTES)
      throw new Failure(EXIT.failed, 'The server sends a line that is larger than any event.');
  }
}
