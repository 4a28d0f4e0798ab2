/** What stops a projection, as operators see it. */
import { ProjectionFailed } from './fold.js';

export type FailedEvent = {
  readonly event_id: string;
  readonly type: string;
  readonly stream: string;
  readonly position: string;
};

export interface Failure {
  readonly message: string;
  /** Null when it is no single event. */
  readonly event: FailedEvent | null;
}

export function failureOf(error: unknown): Failure {
  return {
    message: error instanceof Error ? error.message : String(error),
    event:
      error instanceof ProjectionFailed
        ? {
            event_id: error.record.eventId,
            type: error.record.type,
            stream: error.record.stream,
            position: error.record.position,
          }
        : null,
  };
}
