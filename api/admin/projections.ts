import type { App } from '../../application/app.js';
import { notFound } from '../../application/provisioning/common.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Position } from '../../ports/event-store.js';
import type { CollectionVersion, ReadModels } from '../../ports/read-models.js';
import type { SkipDoc } from '../../read-models/projection-skips.js';
import { projectionStates, type Failure, type StateDoc } from '../../read-models/projection-states.js';
import { projections } from '../../projections/catalog.js';
import { IN_STEP } from '../../projections/in-step.js';
import { leftVersions } from '../../projections/generations.js';
import { eventsAfter, secondsBehind } from '../../projections/lag.js';
import { checkpointName, type AnyProjection } from '../../projections/projection.js';
import { openJobs } from '../../projections/rebuild/records.js';
import { allSkips, recordSkip } from '../../projections/skips.js';
import { readWaits } from '../../projections/waits.js';
import { one } from '../routes/replies.js';
import { commander, created, unpaged, type AdminHandlers } from './support.js';
import { pathParam } from '../middleware/call.js';

const MESSAGE = 2_000;
/** Counted one by one, so counting stops at a number that is large enough. */
const LAG_CAP = 10_000;

/** Whether all projections are in step with each other: one that failed, or is far behind, comes after the others. */
export async function noneIsBehind(
  readModels: Pick<ReadModels, 'getMany'>,
  errors: () => ReadonlyMap<string, Failure>,
): Promise<boolean> {
  if (errors().size > 0) return false;
  const states = await readModels.getMany(
    projectionStates.name,
    projections.map(({ name }) => name),
  );
  return states.every(({ doc }) => doc.failure === null);
}

/** @throws Refusal not_found */
export function projectionNamed(name: string): AnyProjection {
  const found = projections.find((projection) => projection.name === name);
  if (!found) throw notFound('projection', 'projection');
  return found;
}

export const projectionRoutes = (app: App, errors: () => ReadonlyMap<string, Failure>): AdminHandlers => {
  const { store, readModels } = app;

  /** The state in this process, or the one that the process running projections has saved. */
  async function stateOf(name: string): Promise<StateDoc & { readonly failure: Failure | null }> {
    const written = (await readModels.get(projectionStates.name, name))?.doc;
    const failure = errors().get(name) ?? written?.failure ?? null;
    return {
      name,
      events_per_second: written?.events_per_second ?? 0,
      failed_since: written?.failed_since ?? null,
      failure,
    };
  }

  async function present(
    projection: AnyProjection,
    behind: (position: Position) => Promise<readonly [number, number]>,
    skips: readonly SkipDoc[],
    rebuilds: ReadonlyMap<string, string>,
    left: readonly CollectionVersion[],
    waits: ReadonlyMap<string, string>,
  ) {
    const address = checkpointName(projection);
    const own = await readModels.checkpoint(address);
    // A projection's own checkpoint lags behind the shared one where no event concerns the projection.
    const common = await readModels.checkpoint(IN_STEP);
    const { failure, failed_since, events_per_second } = await stateOf(projection.name);
    const position = failure === null && common > own ? common : own;
    const [lag, seconds] = await behind(position);
    const { live, all } = await readModels.generations(address);
    // The saved failure may be from before the event was skipped and the projection caught up.
    const failed = failure !== null && lag > 0 ? failure : null;
    return {
      name: projection.name,
      version: projection.version,
      generation: live,
      kept_generations: all.filter((generation) => generation !== live),
      kept_versions: left.filter(({ name }) => name === projection.name).map(({ version }) => version),
      position: position === '' ? null : position,
      lag_events: lag,
      lag_seconds: seconds,
      events_per_second,
      status: failed !== null ? 'failed' : lag === 0 ? 'live' : 'catching_up',
      last_error: failed?.message.slice(0, MESSAGE) ?? null,
      failed_event: failed?.event ?? null,
      failed_since: failed === null ? null : failed_since,
      skipped_events: skips.filter((skip) => skip.projection === projection.name).length,
      rebuild_uuid: rebuilds.get(projection.name) ?? null,
      work_waiting_since: waits.get(projection.name) ?? null,
    };
  }

  async function presentAll(which: readonly AnyProjection[]) {
    const measured = new Map<Position, Promise<readonly [number, number]>>();
    const behind = (position: Position): Promise<readonly [number, number]> => {
      let lag = measured.get(position);
      if (!lag) {
        lag = Promise.all([eventsAfter(store, position, LAG_CAP), secondsBehind(app, position)]);
        measured.set(position, lag);
      }
      return lag;
    };
    const [skips, orders, left, waits] = await Promise.all([
      allSkips(readModels),
      openJobs(readModels),
      leftVersions(which, readModels),
      readWaits(
        which.map(({ name }) => name),
        app,
      ),
    ]);
    const rebuilds = new Map(
      orders
        .filter(({ doc }) => doc.kind === 'rebuild')
        .flatMap(({ doc }) => doc.projections.map(({ name }) => [name, doc.uuid] as const)),
    );
    return Promise.all(which.map((projection) => present(projection, behind, skips, rebuilds, left, waits)));
  }

  return {
    listProjections: async () => unpaged(await presentAll(projections)),

    getProjection: async ({ params }) => {
      const projection = projectionNamed(pathParam(params, 'name'));
      const [shown] = await presentAll([projection]);
      const skips = await allSkips(readModels, projection.name);
      return one({
        ...shown,
        skips: skips.map(({ projection: _, ...skip }) => skip),
      });
    },

    skipProjectionEvent: async (call, body: { readonly event_id: string; readonly reason: string }) => {
      const { name } = projectionNamed(pathParam(call.params, 'name'));
      const { reason } = body;
      const eventId = body.event_id.toLowerCase();
      const known = (await allSkips(readModels, name)).find((skip) => skip.event_id === eventId);
      if (known) {
        const { projection: _, ...skip } = known;
        return created(skip);
      }
      const { failure } = await stateOf(name);
      if (failure?.event?.event_id !== eventId) {
        throw new Refusal(
          'event_not_failing',
          failure?.event
            ? `The projection is stopped by another event: ${failure.event.event_id}.`
            : 'The projection is not stopped by an event.',
          { event_id: failure?.event?.event_id ?? null },
        );
      }
      const skip: SkipDoc = {
        projection: name,
        event_id: eventId,
        event_type: failure.event.type,
        stream: failure.event.stream,
        position: failure.event.position,
        reason,
        error: failure.message.slice(0, MESSAGE),
        skipped_by: commander(call).actor,
        skipped_at: new Date(app.clock.now()).toISOString(),
      };
      await recordSkip(readModels, skip);
      app.logger.warn({ projection: name, event: eventId, reason }, 'an event was taken out of a projection');
      const { projection: _, ...shown } = skip;
      return created(shown);
    },
  };
};
