/** The error that stops a projection, in the form that operators see. */
import { messageOf } from '../ports/thrown.js';
import type { Failure } from '../read-models/projection-states.js';
import { ProjectionFailed } from './fold.js';

export function failureOf(error: unknown): Failure {
  return {
    message: messageOf(error),
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
