/** The role `projections` on servers: three loops. Each runs in one process at a time, under its own lease. */
import type { App } from '../application/app.js';
import type { Position } from '../ports/event-store.js';
import type { Failure } from '../read-models/projection-states.js';
import { startProjectionFollower, type ProjectionFollower } from '../projections/follower.js';
import type { ProjectionKeeper } from '../projections/guard.js';
import type { AnyProjection } from '../projections/projection.js';
import type { ShownHere } from '../projections/shown-here.js';
import type { Skips } from '../projections/skips.js';
import { whileHolding } from '../workers/kernel/exclusive.js';
import { startRelay } from '../workers/relay/worker.js';

const NONE: ReadonlyMap<string, Failure> = new Map();

export function startProjectionsRole(
  app: App,
  projections: readonly AnyProjection[],
  options: {
    readonly skips: Skips;
    readonly onProgress: (position: Position) => void;
    readonly shownHere: ShownHere;
    /** False while a history is imported: its events were already acted on in the system they come from. */
    readonly relays: boolean;
    readonly sweepIntents: () => { stop(): Promise<void> };
  },
): ProjectionKeeper {
  const { skips, onProgress, shownHere } = options;
  let follower: ProjectionFollower | undefined;
  const following = whileHolding(app, 'projections', async (lease) => {
    follower = await startProjectionFollower(app, projections, {
      skips,
      held: () => lease.held(),
      onProgress,
      shownHere,
    });
    return follower;
  });
  const relaying = options.relays ? startRelay(app) : null;
  const sweeping = whileHolding(app, 'intents', options.sweepIntents);
  return {
    // Only the process that runs the projections knows their errors; one that lost the lease reports none.
    errors: () => (following.running() ? (follower?.errors() ?? NONE) : NONE),
    async stop() {
      await Promise.all([following.stop(), relaying?.stop(), sweeping.stop()]);
    },
  };
}
