/** How projections fare in the process that runs them. */
import { collection } from './collection.js';

export type FailedEvent = {
  readonly event_id: string;
  readonly type: string;
  readonly stream: string;
  readonly position: string;
};

export type Failure = {
  readonly message: string;
  /** Null when it is no single event. */
  readonly event: FailedEvent | null;
};

export type StateDoc = {
  readonly name: string;
  readonly failure: Failure | null;
  readonly failed_since: string | null;
  /** Applied over the last seconds. */
  readonly events_per_second: number;
};

export const projectionStates = collection<StateDoc>()({
  name: 'projection_states',
  version: 1,
  indexes: {},
});
