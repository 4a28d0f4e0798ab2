/** Collections of the jobs that operators request for projections, and of the state that is reported to operators. */
import type { CollectionSpec } from '../ports/read-models.js';
import { projectionRebuilds } from '../read-models/projection-rebuilds.js';
import { projectionSkips } from '../read-models/projection-skips.js';
import { projectionStates } from '../read-models/projection-states.js';
import { projectionJobSignals } from '../read-models/projection-job-signals.js';
import { readModelWaits } from '../read-models/read-model-waits.js';

export const operatorCollections: readonly CollectionSpec[] = [
  projectionRebuilds,
  projectionJobSignals,
  projectionSkips,
  projectionStates,
  readModelWaits,
];
