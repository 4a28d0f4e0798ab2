/** Events that an operator excluded from a projection: by whom, when and why. */
import { collection } from './collection.js';

export type SkipDoc = {
  readonly projection: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly stream: string;
  readonly position: string;
  readonly reason: string;
  readonly error: string;
  readonly skipped_by: string;
  readonly skipped_at: string;
};

export const projectionSkips = collection<SkipDoc>()({
  name: 'projection_skips',
  version: 1,
  indexes: { by_projection: ['projection', 'skipped_at'], all: ['skipped_at'] },
});
