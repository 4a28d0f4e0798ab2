/** Waits for the end of an operation; both APIs have it under the same path. */
import { pause } from '../ports/waiting.js';
import { maybe, part, text, type Resource } from './answer.js';
import type { Client } from './client.js';
import { EXIT, Failure } from './failure.js';
import type { Io } from './io.js';
import { counted } from './readable.js';
import { path } from './session.js';

export interface Waiting {
  /** Milliseconds between two polls. */
  readonly interval: number;
  /** Seconds. */
  readonly wait: number;
  /** Advice for when they are over. */
  readonly next: string;
}

/** @throws Failure when the time is over */
export async function settled(
  { client, io: { clock } }: { readonly client: Client; readonly io: Io },
  uuid: string,
  { interval, wait, next }: Waiting,
  onChange: (status: unknown) => void,
): Promise<Resource> {
  const until = clock.monotonic() + wait * 1000;
  let last: unknown;
  for (;;) {
    const operation = await client.get(`/operations/${path(uuid)}`);
    const { status } = operation;
    if (status !== last) onChange(status);
    last = status;
    if (status === 'succeeded' || status === 'failed') return operation;
    if (clock.monotonic() + interval > until) {
      throw new Failure(
        EXIT.unreachable,
        `The operation is still ${String(status)} after ${counted(wait, 'second')}. It continues by itself.`,
        next,
      );
    }
    await pause(clock, interval);
  }
}

/** @throws Failure with the error of an operation that failed */
export function throwIfFailed(operation: Resource, next?: string): void {
  if (operation['status'] !== 'failed') return;
  const error = part(operation['error']);
  throw new Failure(
    EXIT.failed,
    `The operation failed: ${text(error['code'])}. ${maybe(error['message'], text) ?? ''}`.trim(),
    next,
  );
}
