/**
 * A rebuild: fills a new generation beside the live one and has it kept current. It repeats in it the erasures that
 * happened meanwhile, compares it with the live one, and flips.
 */
import type { Clock } from '../../ports/clock.js';
import type { Position } from '../../ports/event-store.js';
import { pause } from '../../ports/waiting.js';
import { build, type BuildDeps } from '../build.js';
import { failureOf } from '../states.js';
import { followedTargets } from '../generations.js';
import { addressOf, checkpointName, type AnyProjection, type Target } from '../projection.js';
import { specOf, type Copies, type CopiesDeps } from './copies.js';
import type { Job } from './job.js';
import { startOf } from './records.js';
import { verify } from './verify.js';

export interface RebuildDeps extends BuildDeps, CopiesDeps {
  readonly clock: Clock;
  /**
   * Repeats, in every existing generation, the changes of the erasures since a position. A person's documents are found
   * in the newly built copies, because the live ones may hold unreadable documents.
   */
  readonly eraseAgain: (since: Position, built: readonly Target[]) => Promise<void>;
}

/** @returns a function that carries out the job, from wherever a previous process has left it */
export function createRebuild(
  projections: readonly AnyProjection[],
  copies: Copies,
  deps: RebuildDeps,
): (job: Job) => Promise<void> {
  const { readModels } = deps;

  async function rebuild(job: Job): Promise<void> {
    if (job.doc.status === 'differs') {
      await flipBuilt(job);
      return;
    }
    if (job.doc.began_at === null) {
      const began = await deps.store.head();
      await job.save({ began_at: began, started_at: job.now() });
    }
    await job.save({ status: 'building' });
    await job.each(async (one) => {
      if (one.state !== 'waiting') return {};
      const projection = copies.find(one);
      if (!projection) return { state: 'failed', error: `there is no version ${one.version} of it any more` };
      const { live, next } = await readModels.generations(checkpointName(projection));
      return { from_generation: live, generation: next, state: 'building' };
    });
    if (!(await fill(job))) return cancelled(job);

    const built = job.doc.projections.filter(({ state }) => state === 'building' || state === 'built');
    await job.save({ status: 'verifying' });
    const { live, kept } = await followedTargets(projections, readModels);
    // After a crash between a flip and its record, the flipped copy is among the live ones already.
    const targets = built.map((one) => copies.targetOf(one)!);
    await deps.follow(distinct([...live, ...kept, ...targets]));
    await deps.eraseAgain(startOf(job.doc), targets);
    if (!(await compare(job))) return cancelled(job);
    await flipBuilt(job);
  }

  /** False when the job was cancelled or has to end. */
  async function fill(job: Job): Promise<boolean> {
    const open = job.doc.projections.filter(({ state }) => state === 'building');
    const targets = open.map((one) => copies.targetOf(one)).filter((target) => target !== null);
    const watch = await job.watch();
    try {
      const built = await build(targets, deps, { goesOn: watch.goesOn, onProgress: watch.progress });
      for (const [target, error] of built.failed) {
        const { message, event } = failureOf(error);
        await job.one(target.projection.name, { state: 'failed', error: message, failed_event: event });
        await readModels.drop(specOf(target));
      }
      if (!built.complete) return false;
    } finally {
      await watch.stop();
    }
    if (!watch.goesOn()) return false;
    await job.each(async ({ state }) => (state === 'building' ? { state: 'built' } : {}));
    return true;
  }

  async function compare(job: Job): Promise<boolean> {
    const watch = await job.watch();
    try {
      for (const one of job.doc.projections) {
        if (one.state !== 'built' || one.verification !== null) continue;
        const target = copies.targetOf(one)!;
        const old = { ...target, generation: one.from_generation };
        const verification = await verify(readModels, addressOf(old), addressOf(target), {
          sample: job.doc.sample,
          goesOn: watch.goesOn,
          pause: (ms) => (ms === 0 ? deps.pause() : pause(deps.clock, ms)),
        });
        if (verification === null) return false;
        const differs = verification.different > 0 && !job.doc.accept_differences;
        await job.one(one.name, { verification, state: differs ? 'differs' : 'built' });
      }
      return true;
    } finally {
      await watch.stop();
    }
  }

  async function flipBuilt(job: Job): Promise<void> {
    const wish = await job.wish();
    if (wish === 'cancel') return copies.abandon(job, 'cancelled', null);
    const accepted = job.doc.accept_differences || wish === 'accept';
    for (const one of job.doc.projections) {
      if (one.state !== 'built' && !(one.state === 'differs' && accepted)) continue;
      await copies.flip(one);
      await job.one(one.name, { state: 'flipped' });
    }
    if (job.doc.projections.some(({ state }) => state === 'differs')) {
      await job.save({ status: 'differs' });
      return;
    }
    await copies.dropOlder(job);
    const flipped = job.doc.projections.some(({ state }) => state === 'flipped');
    const failed = job.doc.projections.find(({ state }) => state === 'failed');
    await job.end(flipped ? 'done' : 'failed', failed ? `${failed.name}: ${failed.error ?? ''}` : null);
  }

  async function cancelled(job: Job): Promise<void> {
    if ((await job.wish()) === 'cancel') await copies.abandon(job, 'cancelled', null);
  }

  return rebuild;
}

const distinct = (targets: readonly Target[]): readonly Target[] => [
  ...new Map(targets.map((target) => [addressOf(target), target])).values(),
];
