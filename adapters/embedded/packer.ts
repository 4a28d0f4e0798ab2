/**
 * Compresses documents. A crowd of them goes to a thread: compressing one takes the time of several reads, and the
 * server's thread has other work then (docs/adr/0074-a-crowd-is-compressed-elsewhere.md).
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { pack } from './packing.js';

export interface Packer {
  /** In the order of the calls. */
  pack(text: string): Promise<Buffer>;
  /** Later texts are compressed in this thread. */
  close(): void;
}

/** An answer of the thread: the first text ends at `ends[0]`, and the next one begins there. */
export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[];
}

const THREAD = fileURLToPath(new URL('./packing-thread.js', import.meta.url));
/** So many texts of one turn are a crowd: a message to the thread and back takes longer than one text. */
const CROWD = 4;
/** It keeps nothing but a message and its answer. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

interface Job {
  readonly text: string;
  readonly done: (packed: Buffer) => void;
}

/** @param onGone called when the thread ended by itself: no other one is started */
export function createPacker(onGone: (reason: Error | undefined) => void = () => undefined): Packer {
  /** Of this turn. */
  let jobs: Job[] = [];
  /** Given to the thread, in their order. */
  let given: (readonly Job[])[] = [];
  let thread: Worker | undefined;
  let isReady = false;
  let isGone = false;

  function start(): void {
    let reason: Error | undefined;
    // Without the options of this process: a module that it preloads is for the server.
    thread = new Worker(THREAD, { execArgv: [], resourceLimits: THREAD_MEMORY });
    thread.on('message', (answer: Packed | null) => {
      if (answer) settle(answer);
      else isReady = true;
    });
    thread.on('error', (error) => (reason = error));
    thread.once('exit', () => {
      const closed = isGone;
      isGone = true;
      const left = given.flat();
      given = [];
      if (!closed) onGone(reason);
      packHere(left);
    });
    thread.unref();
  }

  function settle({ bytes, ends }: Packed): void {
    let begin = 0;
    for (const [index, { done }] of (given.shift() ?? []).entries()) {
      const end = ends[index]!;
      done(Buffer.from(bytes.buffer, begin, end - begin));
      begin = end;
    }
    if (given.length === 0) thread?.unref();
  }

  function packTurn(): void {
    const some = jobs;
    jobs = [];
    if (some.length >= CROWD && !isGone && !thread) start();
    // Behind a crowd that the thread has, so that the order stays.
    if (isReady && !isGone && (some.length >= CROWD || given.length > 0)) {
      // A process that waits for nothing else must not end before the answer.
      thread?.ref();
      given.push(some);
      thread?.postMessage(some.map(({ text }) => text));
    } else {
      packHere(some);
    }
  }

  return {
    pack: (text) =>
      new Promise((done) => {
        if (jobs.length === 0) setImmediate(packTurn);
        jobs.push({ text, done });
      }),
    close() {
      isGone = true;
      void thread?.terminate();
    },
  };
}

function packHere(jobs: readonly Job[]): void {
  for (const { text, done } of jobs) done(pack(text));
}
