/** One batch of an import: which of its lines are new, whether they are sound, and how they get into the store. */
import {
  START,
  WrongExpectedRevision,
  type AppendResult,
  type EventStore,
  type Position,
  type StoredRecord,
} from '../../ports/event-store.js';
import type { App } from '../app.js';
import { createRecordedCheck } from './check-recorded.js';
import { readExactLine, type ExactRecord } from './exact.js';
import { notEmpty, refused } from './import-refusals.js';

/** The records behind this position of the exporting store. @throws Refusal import_refused */
export function freshOf(lines: readonly string[], after: string | null): readonly ExactRecord[] {
  const records = lines.map(readExactLine);
  const broken = records.findIndex((record) => record === null);
  if (broken >= 0) throw refused(`Line ${broken + 1} of the batch is no line of an exact export.`);
  return records
    .filter((record) => record !== null)
    .filter(({ position }) => after === null || position > after);
}

/** @returns a check of all records of a batch @throws Refusal import_refused */
export function createBatchCheck({
  codec,
  definitions,
}: {
  readonly codec: App['codec'];
  readonly definitions: App['registry']['definitions'];
}): (records: readonly ExactRecord[]) => Promise<void> {
  const check = createRecordedCheck(definitions);

  return async (records) => {
    inOrder(records);
    let opened;
    try {
      opened = await codec.decodeAll(records as unknown as readonly StoredRecord[]);
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'StoreUnavailable') throw error;
      throw refused('A sealed part of an event in the batch does not open: it was altered.');
    }
    for (const recorded of opened) {
      const wrong = check(recorded);
      if (wrong === null) continue;
      const { type, position } = recorded.record;
      throw refused(`The event ${type} at position ${position} ${wrong}.`);
    }
  };
}

export interface BatchWriter {
  /**
   * Appends what is not there yet.
   * @param after up to where batches are recorded as done
   * @returns the position of the last record @throws Refusal import_refused, history_not_empty
   */
  write(after: Position, records: readonly ExactRecord[]): Promise<Position>;
}

/** @param keepsOrder true if the store applies appends in the order of the calls, even when none is awaited */
export function createBatchWriter(
  store: Pick<EventStore, 'append' | 'readAll'>,
  keepsOrder: boolean,
): BatchWriter {
  /** Events after the last recorded batch can only be the beginning of this one, written before a crash. */
  async function writtenBefore(
    after: Position,
    records: readonly ExactRecord[],
  ): Promise<readonly StoredRecord[]> {
    const { records: there } = await store.readAll({ after, limit: records.length });
    if (there.some(({ eventId }, index) => eventId !== records[index]?.eventId)) throw notEmpty();
    return there;
  }

  async function append(records: readonly ExactRecord[]): Promise<Position> {
    const runs = runsOf(records);
    const write = (run: Run): Promise<AppendResult> =>
      store.append(
        run[0].stream,
        run[0].revision === 0 ? 'no_stream' : run[0].revision - 1,
        run.map(({ eventId, type, data, meta }) => ({ eventId, type, data, meta })),
      );
    try {
      let position: Position = START;
      if (keepsOrder) {
        for (const result of await Promise.all(runs.map(write))) position = result.position;
      } else {
        for (const run of runs) position = (await write(run)).position;
      }
      return position;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      throw refused(
        `Stream ${error.stream} does not continue at the revision in the batch: events are missing.`,
      );
    }
  }

  return {
    async write(after, records) {
      const there = await writtenBefore(after, records);
      const rest = records.slice(there.length);
      return rest.length > 0 ? append(rest) : (there.at(-1)?.position ?? START);
    },
  };
}

function inOrder(records: readonly ExactRecord[]): void {
  for (const [index, { position }] of records.entries()) {
    if (index > 0 && position <= records[index - 1]!.position) {
      throw refused(`The event at position ${position} is not behind the one before it.`);
    }
  }
}

type Run = [ExactRecord, ...ExactRecord[]];

/** Consecutive events of one stream go into one append, as most of them were originally. */
function runsOf(records: readonly ExactRecord[]): readonly Run[] {
  const runs: Run[] = [];
  for (const record of records) {
    const run = runs[runs.length - 1];
    const before = run?.[run.length - 1];
    if (run && before?.stream === record.stream && before.revision + 1 === record.revision) run.push(record);
    else runs.push([record]);
  }
  return runs;
}
