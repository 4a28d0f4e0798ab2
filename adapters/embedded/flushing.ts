/**
 * Writes the documents of inline projections into their tables, some time after the events they show were committed. A
 * document that changed several times is written once, and documents that are written together share pages.
 *
 * The positions of the projections follow when all documents up to there are in their tables. After a crash, the
 * projections continue from these positions, so a start has at most this interval of history to catch up.
 */
import type { Clock } from '../../ports/clock.js';
import type { Checkpoints } from './checkpoints.js';
import type { Collection } from './collection.js';
import type { History } from './history.js';
import type { Logger } from './logger.js';
import { positionOf } from './records.js';
import type { Collections } from './read-models.js';
import type { GroupWriter } from './writer.js';

export interface Flushing {
  /** Resolves when everything that was committed before the call is in its table. */
  readonly flush: () => Promise<void>;
  /** Call it when nothing is submitted any more: leaves nothing to catch up. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 2_000;
/** Events since the last flush at which the next one begins at once: they are what a start would have to catch up. */
const MOST_EVENTS = 5_000;
/** Documents, or entries of the index of streams, in one transaction. Requests wait for it. */
const AT_ONCE = 200;
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

  async function flushCollection(collection: Collection): Promise<void> {
    const ids = collection.unflushed();
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      await writer.background.submit(() => collection.flush(some), some.length);
    }
  }

  async function flushAll(): Promise<void> {
    const to = history.head();
    for (const collection of collections.all()) await flushCollection(collection);
    if (to > flushedTo) await writer.background.submit(() => checkpoints.flushed(positionOf(to)));
    if (history.index.unwritten() >= INDEXED_TOGETHER) await writeIndex(to);
    flushedTo = to;
    full = false;
  }

  async function writeIndex(to: number): Promise<void> {
    const { index } = history;
    const entries = index.entries();
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const some = entries.slice(at, at + AT_ONCE);
      await writer.background.submit(() => index.write(some), some.length);
    }
    await writer.background.submit(() => index.saveWritten(to));
    index.forget(to);
  }

  function flush(): Promise<void> {
    const done = turn.then(async () => {
      await writer.flush();
      await flushAll();
    });
    turn = done.catch(() => undefined);
    return done;
  }

  function later(ms: number): void {
    cancel?.();
    cancel = clock.after(ms, () => {
      flush()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'read models could not be written; they will be'),
        )
        .finally(() => {
          cancel = undefined;
          if (history.head() > flushedTo) wake();
        });
    });
  }

  function wake(): void {
    if (stopped) return;
    if (cancel === undefined) later(INTERVAL_MS);
    if (full || history.head() - flushedTo < MOST_EVENTS) return;
    full = true;
    later(0);
  }

  const silence = history.onAppended(wake);

  return {
    flush,
    async stop() {
      stopped = true;
      silence();
      cancel?.();
      await flush();
    },
  };
}
