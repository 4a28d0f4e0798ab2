/** One consumer of a group. Only the first consumer of a group works; the next one takes over when it stops. */
import type { Clock } from '../../ports/clock.js';
import type { ConsumeOptions, Consumer, TopicMessage } from '../../ports/topics.js';
import { createBell, yieldToEventLoop } from '../../ports/waiting.js';
import { backoff, reportTo } from './loop.js';
import type { Writer } from './writer.js';

/** State shared by the consumers of a group. */
export interface Group {
  readonly topic: string;
  readonly name: string;
  /** Offset of the last message handled. */
  position: number;
  /** The position that the database has. */
  saved: number;
  readonly consumers: { wake(): void }[];
  /** Callers of `caughtUp`. */
  waiting: readonly { readonly target: number; readonly resolve: () => void }[];
  read(after: number, limit: number): readonly TopicMessage[];
  /** Offset of the newest message of the topic. */
  last(): number;
}

/** Commits wake the consumer; this poll covers a wake-up that was lost through a bug. */
const SAFETY_POLL = 1_000;
/** An idle consumer's offset is saved after this time, if no other transaction has saved it. */
const SAVE_IDLE = 100;
const DEFAULT_BATCH = 100;

export function createConsumer(
  group: Group,
  writer: Writer,
  clock: Clock,
  options: ConsumeOptions,
): Consumer {
  const news = createBell(clock);
  const stopping = createBell(clock);
  const self = { wake: () => news.ring() };
  let stopped = false;
  group.consumers.push(self);

  const report = (error: unknown): void => reportTo(options.onError, error);

  const passed = (): void => {
    if (group.waiting.length === 0) return;
    const reached = group.waiting.filter(({ target }) => target <= group.position);
    group.waiting = group.waiting.filter(({ target }) => target > group.position);
    for (const { resolve } of reached) resolve();
  };

  /** Messages whose offset was not saved are delivered again after a restart, which consumers must expect. */
  const save = async (): Promise<void> => {
    if (group.saved !== group.position) await writer.flush().catch(report);
  };

  async function idle(): Promise<void> {
    if (group.saved === group.position) return news.wait(SAFETY_POLL);
    await news.wait(SAVE_IDLE);
    // If messages have arrived, their transaction has saved the offset, or the next one will.
    if (!stopped && group.consumers[0] === self && group.last() === group.position) await save();
  }

  async function run(): Promise<void> {
    await yieldToEventLoop();
    let failures = 0;
    while (!stopped) {
      try {
        const batch =
          group.consumers[0] === self ? group.read(group.position, options.maxBatch ?? DEFAULT_BATCH) : [];
        const end = batch[batch.length - 1];
        if (end) {
          await options.handle(batch);
          group.position = Number(end.offset);
          failures = 0;
          await yieldToEventLoop();
        }
        passed();
        if (!end) await idle();
      } catch (error) {
        failures += 1;
        report(error);
        if (!stopped) await stopping.wait(backoff(failures));
      }
    }
    group.consumers.splice(group.consumers.indexOf(self), 1);
    await save();
    group.consumers[0]?.wake();
    if (group.consumers.length > 0) return;
    for (const { resolve } of group.waiting) resolve();
    group.waiting = [];
  }

  const done = run();
  return {
    stop() {
      stopped = true;
      news.ring();
      stopping.ring();
      return done;
    },
    async lag() {
      return group.last() - group.position;
    },
    async caughtUp() {
      // After the flush, everything published before this call is in the topic.
      await writer.flush();
      const target = group.last();
      if (group.position < target && !stopped) {
        await new Promise<void>((resolve) => {
          group.waiting = [...group.waiting, { target, resolve }];
          news.ring();
        });
      }
      await save();
    },
  };
}
