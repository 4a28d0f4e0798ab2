/**
 * Later signals of operators to a job of projection-rebuilds.ts. They are separate documents, so that nobody overwrites
 * the job.
 */
import { collection } from './collection.js';

export type JobSignalDoc = {
  readonly wish: 'cancel' | 'accept';
  readonly by: string;
  readonly at: string;
};

export const projectionJobSignals = collection<JobSignalDoc>()({
  name: 'projection_wishes',
  version: 1,
  indexes: {},
});
