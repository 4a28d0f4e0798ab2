/** Keeps the projections current and runs the jobs that operators request for them, under one lease. */
import type { App } from '../application/app.js';
import type { Position } from '../ports/event-store.js';
import { follow } from './follow.js';
import { followedTargets } from './generations.js';
import type { ProjectionKeeper } from './guard.js';
import type { AnyProjection } from './projection.js';
import { LETTING_GO_MS, startRebuildWorker } from './rebuild/worker.js';
import type { ShownHere } from './shown-here.js';
import type { Skips } from './skips.js';
import { createStates } from './states.js';

export interface ProjectionFollower extends ProjectionKeeper {
  /** Rejects when another process follows the history. */
  readonly ended: Promise<void>;
}

export async function startProjectionFollower(
  app: Pick<App, 'clock' | 'codec' | 'logger' | 'readModels' | 'replay' | 'store'>,
  projections: readonly AnyProjection[],
  options: {
    readonly skips: Skips;
    /** False as soon as another process may hold the lease. */
    readonly held: () => boolean;
    readonly onProgress: (position: Position) => void;
    readonly shownHere: ShownHere;
  },
): Promise<ProjectionFollower> {
  const { skips, held, onProgress, shownHere } = options;
  await skips.refresh();
  const { live, kept } = await followedTargets(projections, app.readModels);
  const states = createStates(
    projections.map(({ name }) => name),
    { ...app, held },
  );
  const runner = follow([...live, ...kept], {
    ...app,
    skips,
    held,
    onProgress,
    onShown: shownHere.note,
    share: (written, stateOf) => shownHere.share(written, stateOf, held),
    onError: (target, error) => states.failed(target, error),
    onApplied: ({ projection }, events) => states.applied(projection.name, events),
  });
  const orders = startRebuildWorker(app, projections, {
    skips,
    held,
    follow: (targets) => runner.use(targets),
    lettingGoMs: LETTING_GO_MS,
  });
  return {
    errors: () => states.errors(),
    ended: runner.ended,
    async stop() {
      await Promise.all([orders.stop(), states.stop(), runner.stop()]);
    },
  };
}
