/** Helpers of the conformance suites. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { EventMeta, NewRecord, StoredRecord } from '../../ports/event-store.js';
import type { IndexValue, ReadModels } from '../../ports/read-models.js';

/** Lists a suite that cannot run here as pending, with the reason in its title. */
export function skippedSuite(name: string, reason: string): void {
  describe.skip(name, () => {
    // The gate collects the titles of pending tests.
    it(`${name}: was not run, ${reason}`);
  });
}

export const COMPANY = '7b1c0f52-5d0f-4a55-9a3e-0d6b1f6f3c11';

export const meta = (over: Partial<EventMeta> = {}): EventMeta => ({
  correlation_id: 'c1',
  causation_id: 'c1',
  command_id: 'c1',
  actor: 'admin',
  company: COMPANY,
  occurred_at: '2026-01-01T00:00:00.000Z',
  schema_version: 1,
  ...over,
});

export const record = (data: Record<string, unknown> = {}, type = 'TestHappened'): NewRecord => ({
  eventId: randomUUID(),
  type,
  data,
  meta: meta(),
});

/** A unique stream name in a category: real stores keep the events of earlier runs. */
export const streamName = (category = 'conformance'): string => `${category}-${randomUUID()}`;

export const numbers = (records: readonly StoredRecord[]): unknown[] => records.map(({ data }) => data['n']);

/** A promise that its creator resolves from outside. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A gate: callers of `pass` wait until it is opened. */
export function gate() {
  const reached = deferred();
  const opened = deferred();
  return {
    /** Resolves once a caller waits at the gate. */
    reached: reached.promise,
    open: (): void => opened.resolve(),
    pass: (): Promise<void> => {
      reached.resolve();
      return opened.promise;
    },
  };
}

const EAGER_LOOKS = 100;

/** Polls until `check` holds; rejects after `ms`. */
export async function until(check: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  for (let looks = 1; !(await check()); looks += 1) {
    if (Date.now() > end) throw new Error(`not so after ${ms} ms: ${check.toString()}`);
    // Most conditions hold after a few event-loop ticks. After that, poll slowly, to leave the processor to the work
    // awaited.
    await new Promise((resolve) => (looks < EAGER_LOOKS ? setImmediate(resolve) : setTimeout(resolve, 2)));
  }
}

/** Returns the ids of all pages by following the cursors. */
export async function idsOfPages(
  limit: number,
  look: (after: readonly IndexValue[] | undefined) => ReturnType<ReadModels['find']>,
): Promise<string[]> {
  const ids: string[] = [];
  let after: readonly IndexValue[] | undefined;
  for (let page = 0; page < 1_000; page += 1) {
    const { documents, next } = await look(after);
    expect(documents.length).to.be.at.most(limit);
    ids.push(...documents.map(({ id }) => id));
    if (next === null) return ids;
    // A cursor is passed in a URL, so it must survive conversion to text.
    after = JSON.parse(JSON.stringify(next)) as IndexValue[];
  }
  throw new Error('the pages do not end');
}

/** Returns the error with which a promise rejects; fails when it resolves. */
export async function failure(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it should have been refused');
}
