/**
 * Uses one engine of zlib again and again. The synchronous functions of node:zlib make an engine for each call, and
 * setting it up takes longer than a few kilobytes of text.
 *
 * Node documents no synchronous call of an existing engine. So this calls the inner engine of a stream, as other
 * libraries do. If a stream has no such engine, or its result differs, this falls back to the documented function
 * (docs/adr/0073-a-compressor-is-set-up-once.md).
 */
import { constants, type Zlib } from 'node:zlib';

/** What a stream of node:zlib is inside: Node 20 to 24. */
interface Inner {
  readonly _handle?: Handle;
  /** After a call: bytes that are left of the output, and of the input. */
  readonly _writeState?: Uint32Array;
}

interface Handle {
  reset(): void;
  /** By default it destroys the stream with an error, which nobody would catch. */
  onerror: (message: string, number: number, code: string) => void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputAt: number,
    inputLength: number,
    output: Uint8Array,
    outputAt: number,
    outputLength: number,
  ): void;
}

/** The result may be in memory that is used again: it is valid until the next call. */
export type Run = (input: Uint8Array) => Buffer;

const ROOM_BYTES = 64 * 1024;
/** A larger result is left to the documented function. */
const MOST_BYTES = 1024 * 1024;

/**
 * @param make a stream with the same options as `once`
 * @param once the documented function; it throws for what is damaged
 * @param sample both must make the same of it
 */
export function reusing(make: () => Zlib, once: Run, sample: Uint8Array): Run {
  const run = runOf(make() as Inner);
  try {
    if (run?.(sample)?.equals(once(sample)) !== true) return once;
  } catch {
    return once;
  }
  return (input) => run(input) ?? once(input);
}

function runOf({
  _handle: handle,
  _writeState: state,
}: Inner): ((input: Uint8Array) => Buffer | null) | null {
  if (!handle || !state) return null;
  let room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  let failed = false;
  handle.onerror = () => (failed = true);
  return (input) => {
    failed = false;
    handle.reset();
    for (let from = 0, length = 0; ;) {
      handle.writeSync(
        constants.Z_FINISH,
        input,
        from,
        input.length - from,
        room,
        length,
        room.length - length,
      );
      if (failed) return null;
      const [outputLeft = 0, inputLeft = 0] = state;
      length = room.length - outputLeft;
      if (outputLeft > 0) return room.subarray(0, length);
      if (room.length === MOST_BYTES) return null;
      from = input.length - inputLeft;
      room = Buffer.concat([room], 2 * room.length);
    }
  };
}
