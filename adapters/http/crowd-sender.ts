/**
 * An HTTP sender that hands a crowd of requests to a thread: an exchange takes the time of several reads, and the
 * server's thread has other work then (docs/adr/0083-a-crowd-of-requests-is-sent-elsewhere.md). Few requests are sent by
 * this thread, which is quicker for each of them.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { HttpRequest, HttpResult, HttpSender } from '../../ports/http-sender.js';
import { errorOf } from '../../ports/thrown.js';
import { systemClock } from '../clock/system.js';
import { createHttpSender, type HttpSenderOptions } from './safe-sender.js';

/** What a thread can be given. It has the machine's clock, and asks the machine's name servers. */
export type PlainOptions = Omit<HttpSenderOptions, 'clock' | 'resolve'>;

/** A request to the thread; its body is between two places of the batch's bytes. */
export interface Asked extends Omit<HttpRequest, 'body'> {
  readonly id: number;
  readonly body: readonly [begin: number, end: number] | null;
}

export interface Batch {
  /** JSON of `Asked[]`. */
  readonly asked: string;
  readonly bodies: Uint8Array<ArrayBuffer>;
}

export interface CrowdSenderOptions extends Omit<HttpSenderOptions, 'resolve'> {
  /** Requests of one turn of the event loop that are a crowd. Default 4: a message to the thread and back has its price. */
  readonly crowd?: number;
  /** Called when the thread ended by itself: no other one is started. */
  readonly onGone?: (reason: Error | undefined) => void;
}

interface Job {
  readonly request: HttpRequest;
  readonly done: (result: HttpResult) => void;
}

interface Given {
  readonly done: Job['done'];
  /** By the monotonic clock. */
  readonly at: number;
}

const THREAD = fileURLToPath(new URL('./sending-thread.js', import.meta.url));
const DEFAULT_CROWD = 4;
/** It keeps connections, and what is under way. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };
/** Node's options that an exchange depends on. The others are for the server: modules that it preloads, its memory. */
const OF_EXCHANGES = /^--(tls-|insecure-http-parser|max-http-header-size|dns-result-order)/;

/** @param execArgv a value is behind its option, or behind `=` */
export function optionsOfExchanges(execArgv: readonly string[]): string[] {
  let taken = false;
  return execArgv.filter((one) => {
    if (one.startsWith('-')) taken = OF_EXCHANGES.test(one);
    return taken;
  });
}

export function createCrowdSender(options: CrowdSenderOptions): HttpSender {
  const { crowd = DEFAULT_CROWD, onGone = () => undefined, clock = systemClock, ...plain } = options;
  const own = createHttpSender({ ...plain, clock });
  /** Of this turn. */
  let jobs: Job[] = [];
  const given = new Map<number, Given>();
  let lastId = 0;
  let thread: Worker | undefined;
  let isReady = false;
  let isOver = false;

  function start(): Worker {
    let reason: Error | undefined;
    const started = new Worker(THREAD, {
      execArgv: optionsOfExchanges(process.execArgv),
      resourceLimits: THREAD_MEMORY,
      workerData: plain satisfies PlainOptions,
    });
    started.on('message', (results: string | null) => {
      if (results === null) isReady = true;
      else settle(JSON.parse(results) as readonly (readonly [number, HttpResult])[]);
    });
    started.on('error', (error) => (reason = error));
    started.once('exit', () => {
      const wasOver = isOver;
      isOver = true;
      giveUp();
      if (!wasOver) onGone(reason);
    });
    started.unref();
    return started;
  }

  function startOnce(): void {
    try {
      thread ??= start();
    } catch (error) {
      isOver = true;
      onGone(errorOf(error));
    }
  }

  function settle(results: readonly (readonly [number, HttpResult])[]): void {
    for (const [id, result] of results) {
      given.get(id)?.done(result);
      given.delete(id);
    }
    if (given.size === 0) thread?.unref();
  }

  /** Nobody knows whether they were sent, as after a connection that is reset. */
  function giveUp(): void {
    const message = 'the sender ended before an answer';
    const now = clock.monotonic();
    for (const { done, at } of given.values()) {
      done({ kind: 'failed', failure: 'reset', message, durationMs: Math.round(now - at), address: null });
    }
    given.clear();
  }

  function sendTurn(): void {
    const some = jobs;
    jobs = [];
    if (some.length >= crowd && !isOver) {
      startOnce();
      if (thread && isReady) return give(thread, some);
    }
    for (const { request, done } of some) void own.request(request).then(done);
  }

  function give(to: Worker, some: readonly Job[]): void {
    const bodies = new Uint8Array(some.reduce((sum, { request }) => sum + (request.body?.length ?? 0), 0));
    const at = clock.monotonic();
    let end = 0;
    const asked = some.map(({ request: { body, ...request }, done }): Asked => {
      const id = (lastId += 1);
      given.set(id, { done, at });
      if (body === null) return { ...request, id, body };
      bodies.set(body, end);
      return { ...request, id, body: [end, (end += body.length)] };
    });
    // A process that waits for nothing else must not end before the answers.
    to.ref();
    to.postMessage({ asked: JSON.stringify(asked), bodies } satisfies Batch, [bodies.buffer]);
  }

  const request = (asked: HttpRequest): Promise<HttpResult> =>
    new Promise((done) => {
      if (jobs.length === 0) setImmediate(sendTurn);
      jobs.push({ request: asked, done });
    });

  return {
    request,
    post: (attempt) => request({ ...attempt, method: 'POST' }),
    refusal: (url, demands) => own.refusal(url, demands),
    async close() {
      isOver = true;
      await Promise.all([own.close(), thread?.terminate()]);
    },
  };
}
