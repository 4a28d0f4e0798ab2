/**
 * Hands pieces of the redo log to a thread that writes them, so that the server's thread does not wait for the disk. One
 * at a time.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { LIFE_BYTES, type PieceOf } from './redo-piece.js';
import { ASKED, CLOSING, DONE, FIELD, FREE, GONE, STARTING, type Shared } from './redo-shared.js';

/** The piece has this length in the file, and its write took so long; or it was not written. */
export type Written = { readonly length: number; readonly ms: number } | { readonly error: Error };

export interface Handover {
  /** False: the thread does not run yet, or no more, or this is too large for it. The first call starts it. */
  give(piece: PieceOf, at: number, written: (outcome: Written) => void): boolean;
  /** Waits here for the piece that was given; its `written` is called before the return. */
  finish(): void;
  close(): void;
}

const THREAD = fileURLToPath(new URL('./redo-thread.js', import.meta.url));
/** Of the memory that both threads share. Larger pieces are rare. */
const SHARED_BYTES = 1024 * 1024;

/**
 * @param file descriptor of the log
 * @param onGone called when the thread ended by itself: no other one is started
 */
export function createHandover(
  { file, syncs }: Pick<Shared, 'file' | 'syncs'>,
  onGone: (reason: Error | undefined) => void,
): Handover {
  let thread: Worker | undefined;
  let reason: Error | undefined;
  let control: Int32Array = Int32Array.of(STARTING);
  let data: Uint8Array = new Uint8Array();
  let waiting: ((outcome: Written) => void) | undefined;

  function start(): void {
    control = new Int32Array(new SharedArrayBuffer(Object.keys(FIELD).length * 4));
    data = new Uint8Array(new SharedArrayBuffer(SHARED_BYTES));
    const workerData: Shared = { control, data, file, syncs };
    // Without the options of this process: a module that it preloads is for the server.
    const made = new Worker(THREAD, { workerData, execArgv: [] });
    // Not of this piece if the state says otherwise: this thread may have waited for an earlier one itself.
    made.on('message', () => {
      if (waiting && Atomics.load(control, FIELD.state) !== ASKED) conclude();
    });
    made.on('error', (error) => (reason = error));
    made.once('exit', gone);
    made.unref();
    thread = made;
  }

  function conclude(): void {
    const ended = waiting;
    waiting = undefined;
    const state = Atomics.exchange(control, FIELD.state, FREE);
    const length = control[FIELD.written]!;
    ended?.(
      state === DONE
        ? { length, ms: control[FIELD.microseconds]! / 1_000 }
        : { error: errorIn(data.slice(0, length)) },
    );
  }

  function gone(): void {
    if (control[FIELD.state] === CLOSING) return;
    control[FIELD.state] = GONE;
    const left = waiting;
    waiting = undefined;
    onGone(reason);
    left?.({ error: new ThreadGone('the thread that writes the redo log ended') });
  }

  return {
    give({ content, life, number }, at, written) {
      if (control[FIELD.state] !== FREE || content.length > SHARED_BYTES - LIFE_BYTES) {
        if (!thread) start();
        return false;
      }
      waiting = written;
      data.set(life);
      data.set(content, LIFE_BYTES);
      control[FIELD.length] = content.length;
      control[FIELD.at] = at;
      control[FIELD.number] = number;
      Atomics.store(control, FIELD.state, ASKED);
      Atomics.notify(control, FIELD.state);
      return true;
    },
    finish() {
      if (!waiting) return;
      Atomics.wait(control, FIELD.state, ASKED);
      conclude();
    },
    close() {
      if (!thread) return;
      Atomics.store(control, FIELD.state, CLOSING);
      Atomics.notify(control, FIELD.state);
    },
  };
}

/** The piece may be written again, to the same place. */
export class ThreadGone extends Error {
  override readonly name = 'ThreadGone';
}

function errorIn(text: Uint8Array): Error {
  const { message, code } = JSON.parse(Buffer.from(text).toString()) as { message: string; code?: string };
  return Object.assign(new Error(message), { code, syscall: 'write' });
}
