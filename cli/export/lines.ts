/** Newline-delimited JSON as bytes, whole lines at a time: unread parts need no decoding. */
const NEWLINE = 0x0a;

/** Yields chunks that end with a line. The bytes after the last newline are dropped: that line was cut off. */
export async function* wholeLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const piece of source) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const end = bytes.lastIndexOf(NEWLINE);
    if (end < 0) {
      rest.push(bytes);
      continue;
    }
    const head = bytes.subarray(0, end + 1);
    yield rest.length === 0 ? head : Buffer.concat([...rest, head]);
    rest = end + 1 < bytes.length ? [bytes.subarray(end + 1)] : [];
  }
}

/** Lines of chunks that hold whole lines, without their newline. */
export function* linesOf(piece: Buffer): Generator<string> {
  for (let from = 0; from < piece.length;) {
    const end = piece.indexOf(NEWLINE, from);
    yield piece.toString('utf8', from, end);
    from = end + 1;
  }
}

/** The start of an export line; the server writes the fields in this order. */
const HEAD =
  /\{"position":"([^"\\\n]+)",(?:"occurred_at":"[^"\\\n]*",)?"id":"[^"\\\n]*","type":"([^"\\\n]+)"/y;

export interface LineHead {
  readonly position: string;
  readonly type: string;
}

/** Null when the line is not an event. */
export const headOf = (line: string): LineHead | null => headAt(line, 0);

function headAt(text: string, at: number): LineHead | null {
  HEAD.lastIndex = at;
  const [, position, type] = HEAD.exec(text) ?? [];
  return position === undefined || type === undefined ? null : { position, type };
}

/**
 * Calls `each` with the head of each line, up to the first line that is not an event. Returns the offset of that line,
 * or the chunk's length. Each character of a head stands for one byte, because nothing is decoded here.
 */
export function readHeads(piece: Buffer, each: (head: LineHead) => void): number {
  const text = piece.toString('latin1');
  let at = 0;
  while (at < text.length) {
    const head = headAt(text, at);
    if (head === null) return at;
    each(head);
    at = text.indexOf('\n', at) + 1;
  }
  return at;
}
