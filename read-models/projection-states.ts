/** State of the projections in the process that runs them. */
import { collection } from './collection.js';

export type FailedEvent = {
  readonly event_id: string;
  readonly type: string;
  readonly stream: string;
  readonly position: string;
};

export type Failure = {
  readonly message: string;
  /** Null when no single event caused the failure. */
  readonly event: FailedEvent | null;
};

export type StateDoc = {
  readonly name: string;
  readonly failure: Failure | null;
  readonly failed_since: string | null;
  /** Rate over the last seconds. */
  readonly events_per_second: number;
};

export const projectionStates = collection<StateDoc>()({
  name: 'projection_states',
  version: 1,
  indexes: {},
});
