/** Saves the state of the projections in the process that runs them, so that other processes can report it. */
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { ReadModels } from '../ports/read-models.js';
import { messageOf } from '../ports/thrown.js';
import { projectionStates, type Failure, type StateDoc } from '../read-models/projection-states.js';
import { ProjectionFailed } from './fold.js';
import { addressOf, type Target } from './projection.js';

export interface States {
  /** Reports the number of events that were applied. */
  applied(name: string, events: number): void;
  /** Reports that a target cannot apply an event (with the error), or that it has recovered (with null). */
  failed(target: Target, error: unknown): void;
  /** By projection name; an error of any copy counts. */
  errors(): ReadonlyMap<string, Failure>;
  /** Changes since the last save are not saved. */
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;

export function createStates(
  names: readonly string[],
  deps: {
    readonly readModels: Pick<ReadModels, 'write' | 'get'>;
    readonly clock: Clock;
    readonly logger: Logger;
    /** False when another process has taken over. */
    readonly held: () => boolean;
  },
): States {
  const { readModels, clock, logger } = deps;
  const failures = new Map<
    string,
    { readonly name: string; readonly failure: Failure; readonly since: string }
  >();
  const counts = new Map<string, number>();
  const written = new Map<string, string>();
  let countedAt = clock.monotonic();
  let lastVersion: number | undefined;
  let stopped = false;
  let saving: Promise<void> = Promise.resolve();

  const failureOfName = (name: string) => [...failures.values()].find((one) => one.name === name);

  /** Greater than all stored versions, even if the clock was ahead when those were written. */
  async function nextVersion(): Promise<string> {
    if (lastVersion === undefined) {
      const stored = await Promise.all(names.map((name) => readModels.get(projectionStates.name, name)));
      lastVersion = Math.max(0, ...stored.map((doc) => Number(doc?.version ?? 0)));
    }
    lastVersion = Math.max(lastVersion + 1, clock.now());
    return String(lastVersion).padStart(16, '0');
  }

  async function save(): Promise<void> {
    const now = clock.monotonic();
    const seconds = Math.max(0.001, (now - countedAt) / 1000);
    countedAt = now;
    const changed = names.flatMap((name) => {
      const failed = failureOfName(name);
      const doc: StateDoc = {
        name,
        failure: failed?.failure ?? null,
        failed_since: failed?.since ?? null,
        events_per_second: Math.round(((counts.get(name) ?? 0) / seconds) * 10) / 10,
      };
      const text = JSON.stringify(doc);
      if (written.get(name) === text) return [];
      written.set(name, text);
      return [{ id: name, doc }];
    });
    counts.clear();
    if (changed.length === 0 || !deps.held()) return;
    try {
      const version = await nextVersion();
      await readModels.write(
        projectionStates.name,
        changed.map((write) => ({ ...write, version })),
      );
    } catch (error) {
      written.clear();
      logger.warn({ err: error }, 'the state of the projections could not be written down');
    }
  }

  let cancel: () => void = () => undefined;
  function next(): void {
    if (stopped) return;
    cancel = clock.after(EVERY_MS, () => {
      saving = save();
      void saving.then(next);
    });
  }
  next();

  return {
    applied: (name, events) => void counts.set(name, (counts.get(name) ?? 0) + events),
    failed(target, error) {
      const address = addressOf(target);
      if (error === null) {
        failures.delete(address);
        return;
      }
      const since = failures.get(address)?.since ?? new Date(clock.now()).toISOString();
      failures.set(address, { name: target.projection.name, failure: failureOf(error), since });
    },
    errors: () => new Map([...failures.values()].map(({ name, failure }) => [name, failure] as const)),
    async stop() {
      stopped = true;
      cancel();
      await saving;
    },
  };
}

/** The error that stops a projection, in the form that operators see. */
export function failureOf(error: unknown): Failure {
  return {
    message: messageOf(error),
    event:
      error instanceof ProjectionFailed
        ? {
            event_id: error.record.eventId,
            type: error.record.type,
            stream: error.record.stream,
            position: error.record.position,
          }
        : null,
  };
}
