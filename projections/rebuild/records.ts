/**
 * Jobs that operators request for projections, and their progress: one document per job, written by the process that
 * runs it. Later requests of operators about a job are separate documents, so no writer overwrites another.
 */
import { START, type Position } from '../../ports/event-store.js';
import type { ReadModels, StoredDocument } from '../../ports/read-models.js';
import {
  projectionRebuilds,
  type JobProgress,
  type JobProjection,
  type ProjectionJobDoc,
  type ProjectionJobStatus,
} from '../../read-models/projection-rebuilds.js';

const NO_PROGRESS: JobProgress = {
  position: null,
  events: 0,
  events_per_second: 0,
  part: 0,
  seconds_left: null,
};

/** Most open jobs to read at once. Jobs run one at a time and delay each other, so more are never open. */
const MOST_OPEN = 200;
const FINAL: ReadonlySet<ProjectionJobStatus> = new Set(['done', 'cancelled', 'failed']);

export const newJob = (
  order: Pick<
    ProjectionJobDoc,
    'uuid' | 'kind' | 'requested_by' | 'requested_at' | 'sample' | 'accept_differences'
  > & {
    readonly projections: readonly Pick<JobProjection, 'name' | 'version' | 'generation'>[];
  },
): ProjectionJobDoc => ({
  ...order,
  shelf: 'all',
  open: 1,
  status: 'queued',
  started_at: null,
  finished_at: null,
  began_at: null,
  progress: NO_PROGRESS,
  projections: order.projections.map((projection) => ({
    ...projection,
    from_generation: null,
    state: 'waiting',
    error: null,
    failed_event: null,
    verification: null,
  })),
  error: null,
});

export const isFinal = ({ status }: Pick<ProjectionJobDoc, 'status'>): boolean => FINAL.has(status);

/** Oldest first. */
export async function openJobs(
  readModels: Pick<ReadModels, 'find'>,
): Promise<readonly StoredDocument<ProjectionJobDoc>[]> {
  const query = { index: 'by_state', equals: [1], order: 'asc', limit: MOST_OPEN } as const;
  return (await readModels.find(projectionRebuilds.name, query)).documents;
}

/**
 * Versions grow with every save and with every process that takes over, so writes of a replaced process are ignored.
 */
export const jobVersion = (fence: number, save: number): string =>
  `${String(fence).padStart(12, '0')}.${String(save).padStart(12, '0')}`;

export const fenceOf = (version: string): number => Number(version.split('.')[0]);

export async function saveJob(
  readModels: Pick<ReadModels, 'write'>,
  doc: ProjectionJobDoc,
  version: string,
): Promise<void> {
  const written: ProjectionJobDoc = { ...doc, open: isFinal(doc) ? 0 : 1 };
  await readModels.write(projectionRebuilds.name, [{ id: doc.uuid, doc: written, version }]);
}

/** Head of the history when the job began to build copies; START for a job that has not begun. */
export const startOf = (doc: ProjectionJobDoc): Position => doc.began_at ?? START;
