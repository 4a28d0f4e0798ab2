/** A job requested by an operator, as its worker runs it: saves the job's state and its progress. */
import type { Clock } from '../../ports/clock.js';
import type { EventStore, Position } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import type { ReadModels, StoredDocument } from '../../ports/read-models.js';
import type {
  JobProjection,
  ProjectionJobDoc,
  ProjectionJobStatus,
} from '../../read-models/projection-rebuilds.js';
import { projectionJobSignals, type JobSignalDoc } from '../../read-models/projection-job-signals.js';
import { fenceOf, isFinal, jobVersion, saveJob } from './records.js';

export interface JobDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly goesOn: () => boolean;
}

const SAVE_EVERY_MS = 400;

export type Job = ReturnType<typeof createJob>;

export function createJob(stored: StoredDocument<ProjectionJobDoc>, deps: JobDeps) {
  const { readModels, clock } = deps;
  const fence = fenceOf(stored.version) + 1;
  let saves = 0;
  const job = {
    doc: stored.doc,
    now: (): string => new Date(clock.now()).toISOString(),

    async save(change: Partial<ProjectionJobDoc>): Promise<void> {
      job.doc = { ...job.doc, ...change };
      saves += 1;
      await saveJob(readModels, job.doc, jobVersion(fence, saves));
    },

    one: (name: string, change: Partial<JobProjection>): Promise<void> =>
      job.save({
        projections: job.doc.projections.map((one) => (one.name === name ? { ...one, ...change } : one)),
      }),

    async each(change: (one: JobProjection) => Promise<Partial<JobProjection>>): Promise<void> {
      const projections = [];
      for (const one of job.doc.projections) projections.push({ ...one, ...(await change(one)) });
      await job.save({ projections });
    },

    async end(status: ProjectionJobStatus, error: string | null): Promise<void> {
      await job.save({ status, error, finished_at: job.now() });
    },

    async wish(): Promise<JobSignalDoc['wish'] | null> {
      return (await readModels.get(projectionJobSignals.name, job.doc.uuid))?.doc.wish ?? null;
    },

    /** Saves the progress periodically and polls for a cancel request. */
    async watch() {
      const began = clock.monotonic();
      const first = deps.store.sequenceOf(await deps.readModels.checkpoint(addressOfAnyCopy(job.doc)));
      let head = deps.store.sequenceOf(await deps.store.head());
      let unwanted = (await job.wish()) === 'cancel';
      let stopped = false;
      let cancelTimer: () => void = () => undefined;
      let saving: Promise<void> = Promise.resolve();
      let seen: { readonly at: Position; readonly events: number } | null = null;

      async function look(): Promise<void> {
        unwanted ||= (await job.wish()) === 'cancel';
        if (seen === null || isFinal(job.doc)) return;
        const { at, events } = seen;
        head = Math.max(head, deps.store.sequenceOf(await deps.store.head()));
        const seconds = Math.max(0.001, (clock.monotonic() - began) / 1000);
        const done = deps.store.sequenceOf(at);
        const part = head === 0 ? 1 : Math.min(1, done / head);
        const speed = (done - first) / seconds;
        await job.save({
          progress: {
            position: at,
            events,
            events_per_second: Math.round(events / seconds),
            part,
            seconds_left: speed <= 0 ? null : Math.ceil((head - done) / speed),
          },
        });
      }
      const next = (): void => {
        if (stopped) return;
        cancelTimer = clock.after(SAVE_EVERY_MS, () => {
          saving = look().catch((error: unknown) =>
            deps.logger.warn({ err: error }, 'how far a rebuild is could not be written down'),
          );
          void saving.then(next);
        });
      };
      next();
      return {
        goesOn: (): boolean => !unwanted && deps.goesOn(),
        progress: (at: Position, events: number): void => void (seen = { at, events }),
        async stop(): Promise<void> {
          stopped = true;
          cancelTimer();
          await saving;
          await look().catch(() => undefined);
        },
      };
    },
  };
  return job;
}

/**
 * Address of any copy being built, else of the first copy: all copies begin at the same position, unless a process died
 * in between.
 */
function addressOfAnyCopy({ projections }: ProjectionJobDoc): string {
  const one = projections.find(({ state }) => state === 'building') ?? projections[0]!;
  return `${one.name}@${one.version}#${one.generation ?? 1}`;
}
