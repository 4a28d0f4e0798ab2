/** One consumer of a group. Only the first consumer of a group works; the next one takes over when it stops. */
import type { Clock } from '../../ports/clock.js';
import type { ConsumeOptions, Consumer, OpenBatch, TopicMessage } from '../../ports/topics.js';
import { createBell, yieldToEventLoop } from '../../ports/waiting.js';
import type { Group } from './group.js';
import { backoff, reportTo } from './loop.js';
import type { Writer } from './writer.js';

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
    const reached = group.waiting.filter(({ target }) => target <= group.position());
    group.waiting = group.waiting.filter(({ target }) => target > group.position());
    for (const { resolve } of reached) resolve();
  };

  /** Messages whose offset was not saved are delivered again after a restart, which consumers must expect. */
  const save = async (): Promise<void> => {
    if (group.saved !== group.passed()) await writer.flush().catch(report);
  };

  /** Messages from before the start may have been begun by an earlier process, so their rows must be durable. */
  const openOf = (batch: readonly TopicMessage[], until: Promise<unknown>[]): OpenBatch | undefined =>
    options.letGo && batch[0] && Number(batch[0].offset) > group.newAfter
      ? { until: (work) => void until.push(work) }
      : undefined;

  /** The work of open batches becomes durable elsewhere, and so their offsets can be saved. */
  async function letGo(): Promise<void> {
    await options.letGo?.().catch(report);
    // Work that has just ended says so in a microtask.
    await yieldToEventLoop();
  }

  async function idle(): Promise<void> {
    if (group.saved === group.passed()) return news.wait(SAFETY_POLL);
    await news.wait(SAVE_IDLE);
    // If messages have arrived, their transaction has saved the offset, or the next one will.
    if (!stopped && group.consumers[0] === self && group.last() === group.position()) await save();
  }

  async function run(): Promise<void> {
    await yieldToEventLoop();
    let failures = 0;
    while (!stopped) {
      try {
        const batch =
          group.consumers[0] === self ? group.read(group.position(), options.maxBatch ?? DEFAULT_BATCH) : [];
        const end = batch[batch.length - 1];
        if (end) {
          const until: Promise<unknown>[] = [];
          await options.handle(batch, openOf(batch, until));
          group.handled(Number(end.offset), until);
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
    await letGo();
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
      return group.last() - group.position();
    },
    async caughtUp() {
      // After the flush, everything published before this call is in the topic.
      await writer.flush();
      const target = group.last();
      if (group.position() < target && !stopped) {
        await new Promise<void>((resolve) => {
          group.waiting = [...group.waiting, { target, resolve }];
          news.ring();
        });
      }
      await save();
    },
  };
}
