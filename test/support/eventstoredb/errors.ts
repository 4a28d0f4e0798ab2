import { grpc } from './protocol.js';

/** How the server ends a failed call: a status, and trailers from which the client builds its error classes. */
export interface CallFailure {
  readonly code: grpc.status;
  readonly details: string;
  readonly metadata: grpc.Metadata;
}

const failure = (
  code: grpc.status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): CallFailure => {
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return { code, details, metadata };
};

/* Codes, texts and trailers: EventStore, src/EventStore.Core/Services/Transport/Grpc/RpcExceptions.cs. */

export const streamDeleted = (stream: string): CallFailure =>
  failure(grpc.status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

/** For deletions only: an append that conflicts succeeds as a call and reports the conflict in its response. */
export const wrongExpectedVersion = (
  operation: string,
  stream: string,
  expected: number,
  actual: number,
): CallFailure =>
  failure(
    grpc.status.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, ` +
      `Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  );

export const maxAppendSizeExceeded = (bytes: number): CallFailure =>
  failure(grpc.status.INVALID_ARGUMENT, `Maximum Append Size of ${bytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytes),
  });

export const badRequest = (message: string): CallFailure => failure(grpc.status.UNKNOWN, message);

/** A position at which no record starts. */
export const invalidPosition = (): CallFailure =>
  failure(grpc.status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');

export const consumerTooSlow = (): CallFailure =>
  failure(
    grpc.status.ABORTED,
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  );

export const accessDenied = (): CallFailure =>
  failure(grpc.status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

/** For wrong credentials: the server refuses them before it reads the call. */
export const notAuthenticated = (): CallFailure => failure(grpc.status.UNAUTHENTICATED, 'Unauthenticated');

/** The answer of a server that is older than the call. */
export const unimplemented = (): CallFailure =>
  failure(grpc.status.UNIMPLEMENTED, 'Service is unimplemented.');

export const notLeader = (leaderPort: number): CallFailure =>
  failure(grpc.status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(leaderPort),
  });

export const unavailable = (): CallFailure => failure(grpc.status.UNAVAILABLE, 'Server Is Not Ready');

export const cancelled = (): CallFailure => failure(grpc.status.CANCELLED, 'Cancelled by the server');
