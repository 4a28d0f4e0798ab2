/**
 * Read models that work of this process waits for. Waits are logged, exposed in metrics and `/readyz`, and saved so
 * that other processes can report them.
 */
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { ReadModels } from '../ports/read-models.js';
import { versionAfter } from '../ports/versions.js';
import { readModelWaits, type WaitDoc } from '../read-models/read-model-waits.js';

/** Waiting work checks twice in this time. If a read model has not been checked for this long, no work waits for it. */
const FRESH_MS = 60_000;
const WRITE_EVERY_MS = 10_000;
const REMIND_EVERY_MS = 60_000;

export interface Waits {
  /** Reports that work has to wait for this read model. */
  readonly behind: (model: string) => void;
  /** Reports that the read model contains what work waited for. */
  readonly passed: (model: string) => void;
  /** Start of each wait in milliseconds since the epoch, by read model. */
  readonly current: () => ReadonlyMap<string, number>;
}

/** `since` is wall-clock time; the other times are of the monotonic clock. */
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
  /** Versions that this process wrote: the version of a removed document cannot be read. */
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
        'a read model has caught up; the work that waited for it continues',
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

/** Start of each wait that any process has saved (ISO 8601), by read model. */
export async function readWaits(
  models: readonly string[],
  {
    readModels,
    clock,
  }: { readonly readModels: Pick<ReadModels, 'getMany'>; readonly clock: Pick<Clock, 'now'> },
): Promise<ReadonlyMap<string, string>> {
  const now = clock.now();
  const found = await readModels.getMany(readModelWaits.name, models);
  // A time far in the future was written before the clock was set back, so the age of the wait is unknown.
  const isFresh = ({ seen_at }: WaitDoc): boolean => Math.abs(now - Date.parse(seen_at)) < FRESH_MS;
  return new Map(found.filter(({ doc }) => isFresh(doc)).map(({ id, doc }) => [id, doc.since] as const));
}
