/** The generations that jobs fill, flip to and remove. The previous one is kept current until it is dropped. */
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { ReadModels } from '../../ports/read-models.js';
import { pause } from '../../ports/waiting.js';
import type { JobProjection } from '../../read-models/projection-rebuilds.js';
import { followedTargets } from '../generations.js';
import { addressOf, checkpointName, collectionOf, type AnyProjection, type Target } from '../projection.js';
import type { Job } from './job.js';

export interface CopiesDeps {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Keeps exactly these targets current; resolves when new ones among them are current. @throws ProjectionFailed */
  readonly follow: (targets: readonly Target[]) => Promise<void>;
  /** Time that other processes may continue to read a generation after it is no longer live, milliseconds. */
  readonly lettingGoMs: number;
}

export interface Copies {
  /** The projection in the version that the job names; undefined when this release has no such version. */
  find(one: JobProjection): AnyProjection | undefined;
  targetOf(one: JobProjection): Target | null;
  /** Makes the copy of the job the live one. May be repeated. */
  flip(one: JobProjection): Promise<void>;
  /** Keeps them current no longer, then drops them. */
  remove(targets: readonly Target[]): Promise<void>;
  /** Keeps one generation to go back to, not one per rebuild, and none with unreadable documents. */
  dropOlder(job: Job): Promise<void>;
  /** Removes the copies that were built but not flipped to. */
  abandon(job: Job, status: 'cancelled' | 'failed', error: string | null): Promise<void>;
}

export function createCopies(projections: readonly AnyProjection[], deps: CopiesDeps): Copies {
  const { readModels } = deps;

  function find({ name, version }: JobProjection): AnyProjection | undefined {
    return projections.find((projection) => projection.name === name && projection.version === version);
  }

  function targetOf(one: JobProjection): Target | null {
    const projection = find(one);
    return projection && one.generation !== null ? { projection, generation: one.generation } : null;
  }

  async function flip(one: JobProjection): Promise<void> {
    const { projection, generation } = targetOf(one)!;
    const address = checkpointName(projection);
    const { live } = await readModels.generations(address);
    // A previous process flipped it and crashed before recording that.
    if (live === generation) return;
    await readModels.flip(address, { from: live, to: generation! });
    deps.logger.info({ projection: projection.name, from: live, to: generation }, 'a read model was flipped');
  }

  async function remove(targets: readonly Target[]): Promise<void> {
    if (targets.length === 0) return;
    const gone = new Set(targets.map(addressOf));
    const { live, kept } = await followedTargets(projections, readModels);
    await pause(deps.clock, deps.lettingGoMs);
    await deps.follow([...live, ...kept].filter((target) => !gone.has(addressOf(target))));
    for (const target of targets) await readModels.drop(specOf(target));
  }

  async function dropOlder(job: Job): Promise<void> {
    const older: Target[] = [];
    for (const one of job.doc.projections) {
      if (one.state !== 'flipped') continue;
      const { projection } = targetOf(one)!;
      const { live, all } = await readModels.generations(checkpointName(projection));
      for (const generation of all) {
        const kept = generation === one.from_generation && !one.verification?.unreadable;
        if (generation !== live && !kept) older.push({ projection, generation });
      }
    }
    await remove(older);
  }

  async function abandon(job: Job, status: 'cancelled' | 'failed', error: string | null): Promise<void> {
    const mine = job.doc.kind === 'rebuild' ? job.doc.projections : [];
    const targets: Target[] = [];
    for (const one of mine) {
      const target = targetOf(one);
      if (!target || one.state === 'flipped') continue;
      const { live, all } = await readModels.generations(checkpointName(target.projection));
      if (live !== target.generation && all.includes(target.generation!)) targets.push(target);
    }
    await remove(targets);
    await job.each(async ({ state }) => (state === 'flipped' ? {} : { state: status }));
    await job.end(status, error);
  }

  return { find, targetOf, flip, remove, dropOlder, abandon };
}

export const specOf = (target: Target) => ({ ...collectionOf(target), generation: target.generation! });
