/** What operators order of projections, and what they are told, lies in these. */
import type { CollectionSpec } from '../ports/read-models.js';
import { projectionRebuilds } from '../read-models/projection-rebuilds.js';
import { projectionSkips } from '../read-models/projection-skips.js';
import { projectionStates } from '../read-models/projection-states.js';
import { projectionWishes } from '../read-models/projection-wishes.js';
import { readModelWaits } from '../read-models/read-model-waits.js';

export const operatorCollections: readonly CollectionSpec[] = [
  projectionRebuilds,
  projectionWishes,
  projectionSkips,
  projectionStates,
  readModelWaits,
];
