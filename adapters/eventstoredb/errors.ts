/** Interpretation of failed calls. */
import {
  AccessDeniedError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  convertToCommandError,
} from '@eventstore/db-client';
import { StoreUnavailable, WrongExpectedRevision, type ExpectedRevision } from '../../ports/event-store.js';
import type { ConnectionString } from './connection-string.js';

/** We stopped waiting: the outcome of the call is unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(readonly afterMs: number) {
    super(`no answer within ${afterMs} ms`);
  }
}

export const isSilence = (error: unknown): boolean =>
  error instanceof NoAnswer || error instanceof DeadlineExceededError;

/** gRPC status of a message that is larger than the server accepts. */
const RESOURCE_EXHAUSTED = 8;
const INVALID_ARGUMENT = 3;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const isTooLarge = (error: unknown): boolean =>
  error instanceof MaxAppendSizeExceededError || codeOf(error) === RESOURCE_EXHAUSTED;

/** An answer that a retry won't change. All other errors may be transient failures of the server or the network. */
export const isFinal = (error: unknown): boolean =>
  error instanceof WrongExpectedVersionError ||
  error instanceof StreamNotFoundError ||
  error instanceof StreamDeletedError ||
  error instanceof TypeError ||
  error instanceof StoreUnavailable ||
  isTooLarge(error) ||
  codeOf(error) === INVALID_ARGUMENT;

/** The server does not support the call, so it has done nothing. */
export const isUnimplemented = (error: unknown): boolean => codeOf(error) === UNIMPLEMENTED;

/**
 * The error for appends that shared a call which ended. The end of the call proves nothing about a single append: each
 * may have been written.
 */
export function lostWith(error: Error): Error {
  const known = convertToCommandError(error);
  return isFinal(known) ? new Error(known.message, { cause: known }) : known;
}

/** Absent, deleted, or permanently deleted: there is nothing to read in all three cases. */
export const isGone = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;

/** The error that `append` throws. */
export function appendError(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error;
    const actual = typeof actualVersion === 'bigint' ? Number(actualVersion) : 'no_stream';
    return new WrongExpectedRevision(stream, expected, actual);
  }
  if (isTooLarge(error)) {
    const size = error instanceof MaxAppendSizeExceededError ? ` (${error.maxAppendSize} bytes)` : '';
    return new RangeError(
      `stream ${stream}: the records are larger than EventStoreDB takes in one append${size}`,
    );
  }
  if (error instanceof StreamDeletedError) {
    return new Error(`stream ${stream} was deleted for good on the server: nothing can be appended to it`);
  }
  return error;
}

/** The resource that a call reads or writes: access to `$all` is granted separately. */
export type Subject = '$all' | 'streams';

/** One or two sentences, without credentials. */
export function unavailable(
  error: unknown,
  target: ConnectionString,
  subject: Subject = '$all',
): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const server = `EventStoreDB at ${target.hosts}`;
  if (error instanceof AccessDeniedError) {
    const sentence =
      codeOf(error) === UNAUTHENTICATED
        ? `${server} refuses the credentials in EVENTSTORE_URL.`
        : `${server} ${denied(target, subject)}`;
    return new StoreUnavailable(sentence, { cause: error });
  }
  if (error instanceof NoAnswer) {
    return new StoreUnavailable(`${server} did not answer within ${Math.round(error.afterMs)} ms.`, {
      cause: error,
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  const hint = target.tls ? ' (over TLS; a server without it needs ?tls=false in EVENTSTORE_URL)' : '';
  return new StoreUnavailable(`${server} can't be reached${hint}: ${reason}`, { cause: error });
}

function denied({ user }: ConnectionString, subject: Subject): string {
  const who = user === null ? 'callers without a user, as EVENTSTORE_URL names none,' : `the user "${user}"`;
  if (subject === 'streams') {
    return `does not let ${who} read and append to streams. An administrator takes away the ACL that leaves them out.`;
  }
  const grant = `An administrator adds ${user === null ? 'a user' : `"${user}"`} beside "$admins" to acl.readRoles in the metadata of $all (docs/deploying.md, "The user in EventStoreDB"); no other right is needed.`;
  return `does not let ${who} read $all. ${grant}`;
}

/** Servers before 22.6 don't send it when a stream is read. */
export const noPosition = (stream: string): Error =>
  new Error(
    `stream ${stream}: EventStoreDB does not return the position of its events; use version 22.6 or later`,
  );
