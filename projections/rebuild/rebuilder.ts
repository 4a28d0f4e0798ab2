/**
 * Runs the jobs that operators request (records.ts), one at a time, in the process that runs the projections. Each step
 * is saved before it is done and may be repeated, so after a crash the next process continues the job.
 *
 * A rebuild fills a new generation beside the live one and has it kept current. It repeats in it the erasures that
 * happened meanwhile, compares it with the live one, and flips. The previous generation is kept current until it is
 * dropped.
 */
import { StoreUnavailable, type Position } from '../../ports/event-store.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { StoredDocument } from '../../ports/read-models.js';
import { pause } from '../../ports/waiting.js';
import type { JobProjection, ProjectionJobDoc } from '../../read-models/projection-rebuilds.js';
import { build, type BuildDeps } from '../build.js';
import { failureOf } from '../states.js';
import { followedTargets } from '../generations.js';
import { addressOf, checkpointName, collectionOf, type AnyProjection, type Target } from '../projection.js';
import { createJob, type Job } from './job.js';
import { openJobs, startOf } from './records.js';
import { verify } from './verify.js';

export interface RebuilderDeps extends BuildDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** False as soon as another process may have taken over, or this one stops. */
  readonly goesOn: () => boolean;
  /** Keeps exactly these targets current; resolves when new ones among them are current. @throws ProjectionFailed */
  readonly follow: (targets: readonly Target[]) => Promise<void>;
  /**
   * Repeats, in every existing generation, the changes of the erasures since a position. A person's documents are found
   * in the newly built copies, because the live ones may hold unreadable documents.
   */
  readonly eraseAgain: (since: Position, built: readonly Target[]) => Promise<void>;
  /** Time that other processes may continue to read a generation after it is no longer live, milliseconds. */
  readonly lettingGoMs: number;
}

export interface Rebuilder {
  /** Runs all open jobs. @throws StoreUnavailable, CheckpointMoved: the caller retries */
  run(): Promise<void>;
}

export function createRebuilder(projections: readonly AnyProjection[], deps: RebuilderDeps): Rebuilder {
  const { readModels } = deps;

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
      if (wish === 'cancel') await cancel(job);
      else if (job.doc.kind === 'rebuild') await rebuild(job);
      else if (job.doc.kind === 'flip') await flipBack(job);
      else await drop(job);
    } catch (error) {
      // The stores are unavailable, or another process continues: the job stays open. Any other error would only
      // repeat.
      const passes = error instanceof StoreUnavailable || (error as Error).name === 'CheckpointMoved';
      if (passes || !deps.goesOn()) throw error;
      deps.logger.error({ err: error, order: job.doc.uuid }, 'an order for projections failed');
      await abandon(job, 'failed', failureOf(error).message);
    }
  }

  function find({ name, version }: JobProjection): AnyProjection | undefined {
    return projections.find((projection) => projection.name === name && projection.version === version);
  }

  function targetOf(one: JobProjection): Target | null {
    const projection = find(one);
    return projection && one.generation !== null ? { projection, generation: one.generation } : null;
  }

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
      const projection = find(one);
      if (!projection) return { state: 'failed', error: `there is no version ${one.version} of it any more` };
      const { live, next } = await readModels.generations(checkpointName(projection));
      return { from_generation: live, generation: next, state: 'building' };
    });
    if (!(await fill(job))) return cancelled(job);

    const built = job.doc.projections.filter(({ state }) => state === 'building' || state === 'built');
    await job.save({ status: 'verifying' });
    const { live, kept } = await followedTargets(projections, readModels);
    // After a crash between a flip and its record, the flipped copy is among the live ones already.
    const targets = built.map((one) => targetOf(one)!);
    await deps.follow(distinct([...live, ...kept, ...targets]));
    await deps.eraseAgain(startOf(job.doc), targets);
    if (!(await compare(job))) return cancelled(job);
    await flipBuilt(job);
  }

  /** False when the job was cancelled or has to end. */
  async function fill(job: Job): Promise<boolean> {
    const open = job.doc.projections.filter(({ state }) => state === 'building');
    const targets = open.map((one) => targetOf(one)).filter((target) => target !== null);
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
        const target = targetOf(one)!;
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
    if (wish === 'cancel') return cancel(job);
    const accepted = job.doc.accept_differences || wish === 'accept';
    for (const one of job.doc.projections) {
      if (one.state !== 'built' && !(one.state === 'differs' && accepted)) continue;
      await flip(one);
      await job.one(one.name, { state: 'flipped' });
    }
    if (job.doc.projections.some(({ state }) => state === 'differs')) {
      await job.save({ status: 'differs' });
      return;
    }
    await dropOlder(job);
    const flipped = job.doc.projections.some(({ state }) => state === 'flipped');
    const failed = job.doc.projections.find(({ state }) => state === 'failed');
    await job.end(flipped ? 'done' : 'failed', failed ? `${failed.name}: ${failed.error ?? ''}` : null);
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

  /** Keeps one generation to go back to, not one per rebuild, and none with unreadable documents. */
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

  async function remove(targets: readonly Target[]): Promise<void> {
    if (targets.length === 0) return;
    const gone = new Set(targets.map(addressOf));
    const { live, kept } = await followedTargets(projections, readModels);
    await pause(deps.clock, deps.lettingGoMs);
    await deps.follow([...live, ...kept].filter((target) => !gone.has(addressOf(target))));
    for (const target of targets) await readModels.drop(specOf(target));
  }

  async function flipBack(job: Job): Promise<void> {
    await job.save({ status: 'flipping', started_at: job.now() });
    for (const one of job.doc.projections) {
      const target = targetOf(one);
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
      await flip(one);
      await job.one(one.name, { state: 'flipped' });
    }
    await job.end('done', null);
  }

  async function drop(job: Job): Promise<void> {
    await job.save({ status: 'dropping', started_at: job.now() });
    const targets = job.doc.projections.map((one) => targetOf(one)).filter((target) => target !== null);
    for (const { projection, generation } of targets) {
      const { live } = await readModels.generations(checkpointName(projection));
      if (live === generation) throw new Error(`generation ${generation} of ${projection.name} is live`);
    }
    await remove(targets);
    for (const { name, version, generation } of job.doc.projections) {
      if (generation === null) await readModels.dropVersion({ name, version });
    }
    await job.each(async () => ({ state: 'dropped' }));
    await job.end('done', null);
  }

  async function cancelled(job: Job): Promise<void> {
    if ((await job.wish()) === 'cancel') await cancel(job);
  }

  function cancel(job: Job): Promise<void> {
    return abandon(job, 'cancelled', null);
  }

  /** Removes the copies that were built but not flipped to. */
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
}

const distinct = (targets: readonly Target[]): readonly Target[] => [
  ...new Map(targets.map((target) => [addressOf(target), target])).values(),
];

const specOf = (target: Target) => ({ ...collectionOf(target), generation: target.generation! });
