/** The copies of the projections to keep current: the live ones, and other generations that are not dropped yet. */
import type { CollectionVersion, ReadModels } from '../ports/read-models.js';
import type { ProjectionJobDoc } from '../read-models/projection-rebuilds.js';
import { checkpointName, type AnyProjection, type Target } from './projection.js';
import { openJobs } from './rebuild/records.js';

/** States in which a job still fills or removes a copy; only that job may use the copy. */
const OWN: ReadonlySet<ProjectionJobDoc['status']> = new Set(['queued', 'building', 'verifying', 'dropping']);

export interface Followed {
  readonly live: readonly Target[];
  /** Not live but current; a flip to one of them is possible at any time. */
  readonly kept: readonly Target[];
}

/** Every collection must be defined. */
export async function followedTargets(
  projections: readonly AnyProjection[],
  readModels: Pick<ReadModels, 'generations' | 'find'>,
): Promise<Followed> {
  const orders = (await openJobs(readModels)).map(({ doc }) => doc).filter(({ status }) => OWN.has(status));
  const taken = new Set(
    orders.flatMap((order) =>
      order.kind === 'flip'
        ? []
        : order.projections.map(({ name, version, generation }) => `${name}@${version}#${generation}`),
    ),
  );
  const live: Target[] = [];
  const kept: Target[] = [];
  for (const projection of projections) {
    const known = await readModels.generations(checkpointName(projection));
    live.push({ projection, generation: known.live });
    for (const generation of known.all) {
      const own = taken.has(`${projection.name}@${projection.version}#${generation}`);
      if (generation !== known.live && !own) kept.push({ projection, generation });
    }
  }
  return { live, kept };
}

/** Versions of these projections that other releases left in the store, ascending. */
export async function leftVersions(
  projections: readonly AnyProjection[],
  readModels: Pick<ReadModels, 'versions'>,
): Promise<readonly CollectionVersion[]> {
  const current = new Map(projections.map(({ name, version }) => [name, version]));
  const stored = await readModels.versions();
  return stored
    .filter(({ name, version }) => current.has(name) && current.get(name) !== version)
    .sort((a, b) => a.version - b.version);
}
