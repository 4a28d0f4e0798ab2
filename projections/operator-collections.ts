/** What operators order of projections, and what they are told, lies in these. */
import type { CollectionSpec } from '../ports/read-models.js';
import { rebuildCollection, wishCollection } from './rebuild/records.js';
import { skipCollection } from './skips.js';
import { stateCollection } from './states.js';
import { waitCollection } from './waits.js';

export const operatorCollections: readonly CollectionSpec[] = [
  rebuildCollection,
  wishCollection,
  skipCollection,
  stateCollection,
  waitCollection,
];
