/**
 * Runs the jobs that operators request (records.ts), one at a time, in the process that runs the projections. Each step
 * is saved before it is done and may be repeated, so after a crash the next process continues the job.
 */
import { StoreUnavailable } from '../../ports/event-store.js';
import type { StoredDocument } from '../../ports/read-models.js';
import type { ProjectionJobDoc } from '../../read-models/projection-rebuilds.js';
import { failureOf } from '../states.js';
import { followedTargets } from '../generations.js';
import { addressOf, checkpointName, type AnyProjection } from '../projection.js';
import { createCopies } from './copies.js';
import { createJob, type Job } from './job.js';
import { createRebuild, type RebuildDeps } from './rebuild.js';
import { openJobs } from './records.js';

export interface RebuilderDeps extends RebuildDeps {
  /** False as soon as another process may have taken over, or this one stops. */
  readonly goesOn: () => boolean;
}

export interface Rebuilder {
  /** Runs all open jobs. @throws StoreUnavailable, CheckpointMoved: the caller retries */
  run(): Promise<void>;
}

export function createRebuilder(projections: readonly AnyProjection[], deps: RebuilderDeps): Rebuilder {
  const { readModels } = deps;
  const copies = createCopies(projections, deps);
  const rebuild = createRebuild(projections, copies, deps);

  return {
    async run() {
      for (const stored of await openJobs(readModels)) {
        if (!deps.goesOn()) return;
        await carryOut(stored);
      }
    },
  };

  async function carryOut(stored: StoredDocument<ProjectionJobDoc>): Promise<void> {
    const job = createJob(stored, deps);
    const wish = await job.wish();
    if (job.doc.status === 'differs' && wish === null) return;
    try {
      if (wish === 'cancel') await copies.abandon(job, 'cancelled', null);
      else if (job.doc.kind === 'rebuild') await rebuild(job);
      else if (job.doc.kind === 'flip') await flipBack(job);
      else await drop(job);
    } catch (error) {
      // The stores are unavailable, or another process continues: the job stays open. Any other error would only
      // repeat.
      const passes = error instanceof StoreUnavailable || (error as Error).name === 'CheckpointMoved';
      if (passes || !deps.goesOn()) throw error;
      deps.logger.error({ err: error, order: job.doc.uuid }, 'an order for projections failed');
      await copies.abandon(job, 'failed', failureOf(error).message);
    }
  }

  async function flipBack(job: Job): Promise<void> {
    await job.save({ status: 'flipping', started_at: job.now() });
    for (const one of job.doc.projections) {
      const target = copies.targetOf(one);
      if (!target) throw new Error(`there is no version ${one.version} of ${one.name}`);
      const { live, all: there } = await readModels.generations(checkpointName(target.projection));
      if (!there.includes(one.generation!))
        throw new Error(`${one.name} has no generation ${one.generation}`);
      await job.one(one.name, { from_generation: live });
      // The target is usually current. Removing and adding it again makes one that fell behind catch up, or fail with
      // its error: it must not become live while behind.
      const { live: now, kept } = await followedTargets(projections, readModels);
      const all = [...now, ...kept];
      await deps.follow(all.filter((other) => addressOf(other) !== addressOf(target)));
      await deps.follow(all);
      await copies.flip(one);
      await job.one(one.name, { state: 'flipped' });
    }
    await job.end('done', null);
  }

  async function drop(job: Job): Promise<void> {
    await job.save({ status: 'dropping', started_at: job.now() });
    const targets = job.doc.projections
      .map((one) => copies.targetOf(one))
      .filter((target) => target !== null);
    for (const { projection, generation } of targets) {
      const { live } = await readModels.generations(checkpointName(projection));
      if (live === generation) throw new Error(`generation ${generation} of ${projection.name} is live`);
    }
    await copies.remove(targets);
    for (const { name, version, generation } of job.doc.projections) {
      if (generation === null) await readModels.dropVersion({ name, version });
    }
    await job.each(async () => ({ state: 'dropped' }));
    await job.end('done', null);
  }
}
