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
const HEAD = /^\{"position":"([^"\\]+)",(?:"occurred_at":"[^"\\]*",)?"id":"[^"\\]*","type":"([^"\\]+)"/;

export interface LineHead {
  readonly position: string;
  readonly type: string;
}

/** Null where it is no line of an event. */
export function headOf(line: string): LineHead | null {
  const [, position, type] = HEAD.exec(line) ?? [];
  return position === undefined || type === undefined ? null : { position, type };
}
