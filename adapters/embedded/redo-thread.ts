/**
 * The thread of redo-handover.ts. It waits in memory that both threads share, not for messages: so the server's thread
 * can wait for a write too, where it must not go on without it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { codeOf, messageOf } from '../../ports/thrown.js';
import { writeDurably } from './disk.js';
import { createPieceEncoder, LIFE_BYTES } from './redo-piece.js';
import { ASKED, CLOSING, DONE, FAILED, FIELD, FREE, STARTING, type Shared } from './redo-shared.js';

const { control, data, file, syncs } = workerData as Shared;
const encode = createPieceEncoder();
/** zlib takes no memory that threads share. Used again: large buffers of a thread that does little else stay for long. */
let own = Buffer.alloc(0);

function ownCopy(shared: Uint8Array): Buffer {
  if (own.length < shared.length) own = Buffer.allocUnsafeSlow(2 * shared.length);
  own.set(shared);
  return own.subarray(0, shared.length);
}

function write(): number {
  const life = data.subarray(0, LIFE_BYTES);
  const content = ownCopy(data.subarray(LIFE_BYTES, LIFE_BYTES + control[FIELD.length]!));
  const piece = encode({ content, life, number: control[FIELD.number]! });
  control[FIELD.microseconds] = writeDurably(file, syncs, piece, control[FIELD.at]!) * 1_000;
  return piece.length;
}

function answer(): number {
  try {
    control[FIELD.written] = write();
    return DONE;
  } catch (error) {
    const text = Buffer.from(JSON.stringify({ message: messageOf(error), code: codeOf(error) }));
    control[FIELD.written] = Math.min(text.length, data.length);
    data.set(text.subarray(0, data.length));
    return FAILED;
  }
}

Atomics.compareExchange(control, FIELD.state, STARTING, FREE);
for (let state = Atomics.load(control, FIELD.state); state !== CLOSING;) {
  if (state === ASKED) {
    Atomics.store(control, FIELD.state, answer());
    Atomics.notify(control, FIELD.state);
    parentPort?.postMessage(null);
  } else {
    Atomics.wait(control, FIELD.state, state);
  }
  state = Atomics.load(control, FIELD.state);
}
