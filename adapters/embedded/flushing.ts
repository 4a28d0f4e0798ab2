/**
 * Writes documents that wait in memory into their tables: those of inline projections, some time after the events they
 * show were committed, and what `writeSoon` was given. A document that changed several times is written once, and
 * documents that are written together share pages.
 *
 * It rests between two slices where nobody waits for it: a message that passes through meanwhile meets one slice at most,
 * not all of them.
 *
 * The positions of the projections follow when all documents up to there are in their tables. After a crash, the
 * projections continue from these positions, so a start has at most this interval of history to catch up.
 */
import type { Clock } from '../../ports/clock.js';
import { createBell } from '../../ports/waiting.js';
import type { Checkpoints } from './checkpoints.js';
import type { History } from './history.js';
import type { Logger } from '../../ports/logger.js';
import { positionOf } from './records.js';
import type { Collections } from './collections.js';
import { AT_ONCE, flushInSlices, slices } from './slices.js';
import type { GroupWriter } from './writer.js';

export interface Flushing {
  /** Resolves when everything that was committed before the call is in its table. */
  readonly flush: () => Promise<void>;
  /**
   * Resolves when everything staged so far is in its table, which this call does not hurry. It does not reject.
   * @param waiting documents that wait in a collection: at a certain number the next flush begins at once
   */
  readonly soon: (waiting?: number) => Promise<void>;
  /** Call it when nothing is submitted any more: leaves nothing to catch up. */
  stop(): Promise<void>;
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function deferred(): Deferred {
  let resolve!: () => void;
  return { promise: new Promise<void>((settle) => (resolve = settle)), resolve };
}

const INTERVAL_MS = 2_000;
/** Several times what a slice takes. */
const REST_MS = 10;
/** Events since the last flush at which the next one begins at once: they are what a start would have to catch up. */
const MOST_EVENTS = 20_000;
/** Staged documents of one collection at which the next flush begins at once. */
const MOST_WAITING = 4_000;
/**
 * Entries of the index of streams that are written together: the more there are, the more of them share a page. A start
 * reads so many events that the index lacks.
 */
const INDEXED_TOGETHER = 10_000;

export function startFlushing(deps: {
  readonly collections: Collections;
  readonly checkpoints: Checkpoints;
  readonly history: History;
  readonly writer: GroupWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}): Flushing {
  const { collections, checkpoints, history, writer, clock, logger } = deps;
  let flushedTo = history.head();
  let turn: Promise<void> = Promise.resolve();
  let cancel: (() => void) | undefined;
  let full = false;
  let stopped = false;
  /** Callers of `flush`: none of them waits for a rest. */
  let callers = 0;
  const bell = createBell(clock);
  /** Of those who wait for the next flush. */
  let staged: Deferred | undefined;

  /** To be awaited before each slice. */
  function resting(): () => Promise<void> {
    let first = true;
    return async () => {
      if (!first && callers === 0 && !full) await bell.wait(REST_MS);
      first = false;
    };
  }

  async function flushAll(): Promise<void> {
    const to = history.head();
    const rest = resting();
    const told = staged;
    staged = undefined;
    try {
      for (const collection of collections.all()) await flushInSlices(collection, writer.background, rest);
      if (to > flushedTo || told) await writer.background.submit(() => checkpoints.flushed(positionOf(to)));
      if (history.index.unwritten() >= INDEXED_TOGETHER) await writeIndex(to, rest);
    } catch (error) {
      // They wait for the next flush, with those that came meanwhile.
      if (told) void soon().then(told.resolve);
      throw error;
    }
    flushedTo = to;
    full = false;
    told?.resolve();
  }

  function soon(waiting = 0): Promise<void> {
    staged ??= deferred();
    wake(waiting >= MOST_WAITING);
    return staged.promise;
  }

  async function writeIndex(to: number, rest: () => Promise<void>): Promise<void> {
    const { index } = history;
    const entries = index.entries();
    for (const some of slices(entries, AT_ONCE)) {
      await rest();
      await writer.background.submit(() => index.write(some), some.length);
    }
    await writer.background.submit(() => index.saveWritten(to));
    index.forget(to);
  }

  function inTurn(): Promise<void> {
    const done = turn.then(async () => {
      await writer.flush();
      await flushAll();
    });
    turn = done.catch(() => undefined);
    return done;
  }

  function flush(): Promise<void> {
    callers += 1;
    bell.ring();
    return inTurn().finally(() => (callers -= 1));
  }

  function later(ms: number): void {
    cancel?.();
    cancel = clock.after(ms, () => {
      inTurn()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'read models could not be written; they will be'),
        )
        .finally(() => {
          cancel = undefined;
          if (history.head() > flushedTo || staged) wake();
        });
    });
  }

  function wake(crowded: boolean = history.head() - flushedTo >= MOST_EVENTS): void {
    if (stopped) return;
    if (cancel === undefined) later(INTERVAL_MS);
    if (full || !crowded) return;
    full = true;
    bell.ring();
    later(0);
  }

  const silence = history.onAppended(() => wake());

  return {
    flush,
    soon,
    async stop() {
      stopped = true;
      silence();
      cancel?.();
      await flush();
    },
  };
}
