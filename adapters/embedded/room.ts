/**
 * Detects whether the store can write, before a caller is refused. When the disk fills up, new work is refused early.
 * The remaining space is kept for copying the log into the database and for finishing work in progress. A log that
 * can't be copied grows with every commit, until nothing can be written at all.
 */
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Db } from './database.js';
import type { Participant } from './participant.js';
import { isUnavailable } from './writer-commits.js';
import type { Writer } from './writer.js';

export interface Room extends Participant {
  /** Why some write is impossible at the moment; null while all writes are possible. */
  refusing(): string | null;
  /** Checks the disk, and attempts a write if the last one failed. */
  look(): Promise<void>;
  /** The same writer for new work, which is refused while space is short. */
  confine(writer: Writer): Writer;
}

/** Required in addition to the size of the log, by which the database may grow. */
const RESERVE_BYTES = 32 * 1024 ** 2;
/** Hysteresis: new work must not be admitted and refused again with every page. */
const ENOUGH = 1.25;
/** Larger than any page, so that the row needs pages of its own. */
const PROBE_BYTES = 16_384;

export function createRoom(deps: {
  readonly db: Db;
  readonly writer: () => Writer;
  readonly walBytes: () => number;
  readonly freeBytes: () => number;
}): Room {
  const add = deps.db.prepare(
    `INSERT INTO due_entries (queue, id, lane, due_at, payload) VALUES ('probe', 'probe', 'probe', 0, ?)`,
  );
  const remove = deps.db.prepare(`DELETE FROM due_entries WHERE queue = 'probe'`);
  const payload = 'x'.repeat(PROBE_BYTES);
  const changes = deps.db.prepare('SELECT total_changes()').pluck();
  let failure: string | null = null;
  let changesThen: unknown;
  let full = false;

  const refusing = (): string | null =>
    failure ??
    (full
      ? 'the disk of the data folder is nearly full; what is left of it is kept for what is under way'
      : null);

  return {
    refusing,
    async look() {
      const least = RESERVE_BYTES + deps.walBytes();
      full = deps.freeBytes() < least * (full ? ENOUGH : 1);
      if (failure === null) return;
      const probe = (): void => {
        add.run(payload);
        remove.run();
      };
      // `committed` and `rolledBack` below record the outcome.
      await deps
        .writer()
        .submit(probe)
        .catch(() => undefined);
    },
    confine: (writer) => ({
      submit: (operation, weight) =>
        full
          ? Promise.reject(new StoreUnavailable(`the embedded store takes nothing new: ${refusing()}`))
          : writer.submit(operation, weight),
      flush: () => writer.flush(),
    }),
    committed() {
      // A transaction without changes commits even on a full disk.
      if (failure !== null && changes.get() !== changesThen) failure = null;
    },
    /** An error caused by an operation's values does not show that the store cannot write. */
    rolledBack(error) {
      if (!isUnavailable(error)) return;
      failure = `the last write failed: ${error.message}`;
      changesThen = changes.get();
    },
  };
}
