/** Newline-delimited JSON as bytes, whole lines at a time: what is not looked into need not be decoded. */
const NEWLINE = 0x0a;

/** Pieces that end with a line. What comes behind the last newline is dropped: it was cut off. */
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

/** Lines of whole pieces, without their newline. */
export function* linesOf(piece: Buffer): Generator<string> {
  for (let from = 0; from < piece.length;) {
    const end = piece.indexOf(NEWLINE, from);
    yield piece.toString('utf8', from, end);
    from = end + 1;
  }
}

/** What a line of an export begins with; the server writes the fields in this order. */
const HEAD =
  /\{"position":"([^"\\\n]+)",(?:"occurred_at":"[^"\\\n]*",)?"id":"[^"\\\n]*","type":"([^"\\\n]+)"/y;

export interface LineHead {
  readonly position: string;
  readonly type: string;
}

/** Null where it is no line of an event. */
export const headOf = (line: string): LineHead | null => headAt(line, 0);

function headAt(text: string, at: number): LineHead | null {
  HEAD.lastIndex = at;
  const [, position, type] = HEAD.exec(text) ?? [];
  return position === undefined || type === undefined ? null : { position, type };
}

/**
 * Tells `each` the heads of the lines of a whole piece, up to the first that is no line of an event: where that begins is
 * the answer, or the piece's length. Letters of a head stand for bytes, for nothing here is decoded.
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
