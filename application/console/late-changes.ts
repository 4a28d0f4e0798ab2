/** Tells consoles again of changes that they could not read yet, once all read models show them. */
import { START, type Position } from '../../ports/event-store.js';
import { pause } from '../../ports/waiting.js';
import type { App } from '../app.js';
import { createGathered, type Change } from './changes.js';
import type { Shown } from './shown.js';

/** An open console, as the source of its changes sees it. */
export interface Reader {
  readonly company: string;
  /** @param shown the position that the change leads to, where everything shows it */
  changed(change: Change, shown: Position | null): void;
  wake(): void;
}

export interface LateChanges {
  /** The reader gets these again when everything up to this position is shown. */
  add(reader: Reader, changes: readonly Change[], upTo: Position): void;
  forget(reader: Reader): void;
}

type Told = Map<Reader, ReturnType<typeof createGathered>>;

const ASK_EVERY_MS = 1_000;

export function createLateChanges(
  { clock, logger }: Pick<App, 'clock' | 'logger'>,
  shown: Shown,
  stopping: AbortSignal,
): LateChanges {
  let late: Told = new Map();
  /** Those of the wait in progress. */
  let told: Told = new Map();
  let lateTo = START;
  let waiting = false;

  /** One wait for all consoles, however many changes are late. */
  async function tellAgain(): Promise<void> {
    waiting = true;
    while (late.size > 0) {
      const upTo = lateTo;
      told = late;
      late = new Map();
      if (!(await becomesShown(upTo))) continue;
      for (const [reader, gathered] of told) {
        for (const change of gathered.take()) reader.changed(change, upTo);
        reader.wake();
      }
    }
    waiting = false;
  }

  /** False when nobody is left to be told. */
  async function becomesShown(upTo: Position): Promise<boolean> {
    for (;;) {
      const isShown = await shown.now(upTo).catch((error: unknown) => {
        logger.warn({ err: error }, 'whether read models have caught up is not known');
        return false;
      });
      if (isShown) return true;
      if (stopping.aborted || told.size === 0) return false;
      await pause(clock, ASK_EVERY_MS);
    }
  }

  return {
    add(reader, changes, upTo) {
      const gathered = late.get(reader) ?? createGathered();
      late.set(reader, gathered);
      for (const change of changes) gathered.add(change);
      if (upTo > lateTo) lateTo = upTo;
      if (!waiting) void tellAgain();
    },
    forget(reader) {
      late.delete(reader);
      told.delete(reader);
    },
  };
}
