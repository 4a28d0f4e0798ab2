/** Runs the projections, and the relay to the topics, under leases: on the real stack one process at a time does each. */
import type { App } from '../application/app.js';
import type { Position } from '../ports/event-store.js';
import type { Failure } from '../projections/failures.js';
import { follow } from '../projections/follow.js';
import { followedTargets } from '../projections/generations.js';
import type { AnyProjection } from '../projections/projection.js';
import type { Skips } from '../projections/skips.js';
import { createStates, type States } from '../projections/states.js';
import { whileHolding } from '../workers/kernel/exclusive.js';
import { startRelay } from '../workers/relay/worker.js';
import type { ProjectionKeeper } from './projection-guard.js';
import { LETTING_GO_MS, startOrders } from './projection-orders.js';

const NONE: ReadonlyMap<string, Failure> = new Map();

export function startProjectionFollower(
  app: App,
  projections: readonly AnyProjection[],
  options: {
    readonly skips: Skips;
    readonly onProgress: (position: Position) => void;
    /** False while a history is imported: nobody is to be told of what is in it. */
    readonly relays: boolean;
    readonly sweepIntents: () => { stop(): Promise<void> };
    /** How long after a flip others are waited for before a copy is removed, milliseconds. */
    readonly lettingGoMs?: number;
  },
): ProjectionKeeper {
  const { skips, onProgress, lettingGoMs = LETTING_GO_MS } = options;
  let states: States | undefined;
  const names = projections.map(({ name }) => name);
  const following = whileHolding(app, 'projections', async (lease) => {
    await skips.refresh();
    const { live, kept } = await followedTargets(projections, app.readModels);
    const held = (): boolean => lease.held();
    const own = createStates(names, { ...app, held });
    states = own;
    const runner = follow([...live, ...kept], {
      ...app,
      skips,
      held,
      onProgress,
      onError: (target, error) => own.failed(target, error),
      onApplied: ({ projection }, events) => own.applied(projection.name, events),
    });
    const orders = startOrders(app, projections, {
      skips,
      held,
      follow: (targets) => runner.use(targets),
      lettingGoMs,
    });
    return {
      ended: runner.ended,
      async stop() {
        await Promise.all([orders.stop(), own.stop(), runner.stop()]);
      },
    };
  });
  const relaying = options.relays ? startRelay(app) : null;
  const sweeping = whileHolding(app, 'intents', options.sweepIntents);
  return {
    // Of the process that runs them: one that has handed them on knows nothing of them any more.
    errors: () => (following.running() ? (states?.errors() ?? NONE) : NONE),
    async stop() {
      await Promise.all([following.stop(), relaying?.stop(), sweeping.stop()]);
    },
  };
}
