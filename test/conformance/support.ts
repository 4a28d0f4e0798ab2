/** What the conformance suites share. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { EventMeta, NewRecord, StoredRecord } from '../../ports/event-store.js';
import type { IndexValue, ReadModels } from '../../ports/read-models.js';

/** A suite that can't run here is listed as pending, with the reason in its title. */
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

/** A fresh stream name of a category: real stores keep what earlier runs wrote. */
export const streamName = (category = 'conformance'): string => `${category}-${randomUUID()}`;

export const numbers = (records: readonly StoredRecord[]): unknown[] => records.map(({ data }) => data['n']);

/** A promise with its handles outside. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Holds up whoever passes until it is opened. */
export function gate() {
  const reached = deferred();
  const opened = deferred();
  return {
    /** Resolves once somebody stands before it. */
    reached: reached.promise,
    open: (): void => opened.resolve(),
    pass: (): Promise<void> => {
      reached.resolve();
      return opened.promise;
    },
  };
}

const EAGER_LOOKS = 100;

/** Resolves when `check` holds, looking again each turn; rejects after `ms`. */
export async function until(check: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  for (let looks = 1; !(await check()); looks += 1) {
    if (Date.now() > end) throw new Error(`not so after ${ms} ms: ${check.toString()}`);
    // Soon, as a rule. What takes longer must not keep a processor busy that it may be waiting for.
    await new Promise((resolve) => (looks < EAGER_LOOKS ? setImmediate(resolve) : setTimeout(resolve, 2)));
  }
}

/** Ids of all pages, as a caller walks through them. */
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
    // A cursor travels through a URL: it has to survive being text.
    after = JSON.parse(JSON.stringify(next)) as IndexValue[];
  }
  throw new Error('the pages do not end');
}

/** The error a promise rejects with; fails when it resolves. */
export async function failure(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it should have been refused');
}
