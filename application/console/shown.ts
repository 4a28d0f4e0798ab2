/** Whether what consoles read shows everything up to a position. */
import type { Position } from '../../ports/event-store.js';
import type { App } from '../app.js';

/** The page reads what is shown; it must not read before that is brought up to date. */
const SOON_MS = 2_000;
const NOW_MS = 50;

export interface Shown {
  now(upTo: Position): Promise<boolean>;
  /** Waits some time for it. */
  soon(upTo: Position): Promise<boolean>;
}

/** @param inStep whether no projection was left behind the others, which `readModelsReached` does not wait for */
export function createShown(app: Pick<App, 'readModelsReached'>, inStep: () => Promise<boolean>): Shown {
  const isShown = async (upTo: Position, withinMs: number): Promise<boolean> =>
    (await app.readModelsReached(upTo, withinMs)) && (await inStep());

  return {
    now: (upTo) => isShown(upTo, NOW_MS),
    soon: (upTo) => isShown(upTo, SOON_MS),
  };
}
