/** Runs the projections, and the relay to the topics, under leases: on the real stack one process at a time does each. */
import type { App } from '../application/app.js';
import type { Position } from '../ports/event-store.js';
import { follow } from '../projections/follow.js';
import type { AnyProjection } from '../projections/projection.js';
import { whileHolding } from '../workers/kernel/exclusive.js';
import { startRelay } from '../workers/relay/worker.js';
import type { ProjectionKeeper } from './projection-guard.js';

const NONE: ReadonlyMap<string, string> = new Map();

export function startProjectionFollower(
  app: App,
  projections: readonly AnyProjection[],
  options: {
    readonly onProgress: (position: Position) => void;
    /** False while a history is imported: nobody is to be told of what is in it. */
    readonly relays: boolean;
    readonly sweepIntents: () => { stop(): Promise<void> };
  },
): ProjectionKeeper {
  const errors = new Map<string, string>();
  const following = whileHolding(app, 'projections', (lease) => {
    errors.clear();
    return follow(projections, {
      ...app,
      held: () => lease.held(),
      onProgress: options.onProgress,
      onError: ({ name }, error) => {
        if (error === null) errors.delete(name);
        else errors.set(name, error instanceof Error ? error.message : JSON.stringify(error));
      },
    });
  });
  const relaying = options.relays ? startRelay(app) : null;
  const sweeping = whileHolding(app, 'intents', options.sweepIntents);
  return {
    // Of the process that runs them: one that has handed them on knows nothing of them any more.
    errors: () => (following.running() ? errors : NONE),
    async stop() {
      await Promise.all([following.stop(), relaying?.stop(), sweeping.stop()]);
    },
  };
}
