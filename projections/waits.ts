/**
 * Read models that work of this process waits for: said in the log, shown in metrics and `/readyz`, and written down for
 * whoever is asked in another process.
 */
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { ReadModels } from '../ports/read-models.js';
import { versionAfter } from '../ports/versions.js';
import { readModelWaits, type WaitDoc } from '../read-models/read-model-waits.js';

/** Work that waits looks again twice in this time. One that was not looked for since has nobody waiting. */
const FRESH_MS = 60_000;
const WRITE_EVERY_MS = 10_000;
const REMIND_EVERY_MS = 60_000;

export interface Waits {
  /** Work has to wait for it. */
  readonly behind: (model: string) => void;
  /** It shows what was waited for. */
  readonly passed: (model: string) => void;
  /** Since when, milliseconds since the epoch, by read model. */
  readonly current: () => ReadonlyMap<string, number>;
}

/** `since` is a time of day, the others are of the monotonic clock. */
interface Wait {
  readonly since: number;
  seenAt: number;
  writtenAt: number;
  toldAt: number;
}

export function createWaits(deps: {
  readonly readModels: Pick<ReadModels, 'get' | 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Waits {
  const { readModels, clock, logger } = deps;
  const waits = new Map<string, Wait>();
  /** Of what this process wrote: nobody can read the version of a document that was removed. */
  const versions = new Map<string, string>();
  let writing: Promise<void> = Promise.resolve();

  function write(model: string, doc: WaitDoc | null): void {
    writing = writing
      .then(async () => {
        const before = versions.get(model) ?? (await readModels.get(readModelWaits.name, model))?.version;
        const version = versionAfter(before, clock.now());
        versions.set(model, version);
        await readModels.write(readModelWaits.name, [{ id: model, doc, version }]);
      })
      .catch((error: unknown) =>
        logger.warn({ err: error, read_model: model }, 'what work waits for could not be written down'),
      );
  }

  return {
    behind(model) {
      const now = clock.monotonic();
      let wait = waits.get(model);
      if (!wait) {
        wait = { since: clock.now(), seenAt: now, writtenAt: -Infinity, toldAt: -Infinity };
        waits.set(model, wait);
      }
      wait.seenAt = now;
      const since = new Date(wait.since).toISOString();
      if (now - wait.toldAt >= REMIND_EVERY_MS) {
        wait.toldAt = now;
        logger.warn({ read_model: model, since }, 'work waits for a read model that is behind the history');
      }
      if (now - wait.writtenAt < WRITE_EVERY_MS) return;
      wait.writtenAt = now;
      write(model, { read_model: model, since, seen_at: new Date(clock.now()).toISOString() });
    },
    passed(model) {
      const wait = waits.get(model);
      if (!wait) return;
      waits.delete(model);
      logger.warn(
        { read_model: model, since: new Date(wait.since).toISOString() },
        'a read model shows what work waited for; it goes on',
      );
      write(model, null);
    },
    current() {
      const stale = clock.monotonic() - FRESH_MS;
      return new Map(
        [...waits].filter(([, { seenAt }]) => seenAt > stale).map(([model, { since }]) => [model, since]),
      );
    },
  };
}

/** What processes have written down: since when (ISO 8601), by read model. */
export async function readWaits(
  models: readonly string[],
  {
    readModels,
    clock,
  }: { readonly readModels: Pick<ReadModels, 'getMany'>; readonly clock: Pick<Clock, 'now'> },
): Promise<ReadonlyMap<string, string>> {
  const now = clock.now();
  const found = await readModels.getMany(readModelWaits.name, models);
  // One that is dated far ahead was written before the clock was set back: nobody knows how long ago.
  const isFresh = ({ seen_at }: WaitDoc): boolean => Math.abs(now - Date.parse(seen_at)) < FRESH_MS;
  return new Map(found.filter(({ doc }) => isFresh(doc)).map(({ id, doc }) => [id, doc.since] as const));
}
