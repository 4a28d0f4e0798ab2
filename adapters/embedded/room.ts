/**
 * Whether the store can write, known before somebody is refused. A disk that fills up refuses new work while there is
 * still room for the log to be copied into the database, and for what is under way to be written down; a log that can't
 * be copied grows with every commit, until nothing can be written at all.
 */
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Db } from './database.js';
import { isUnavailable, type Participant, type Writer } from './writer.js';

export interface Room extends Participant {
  /** Why something can not be written; null while everything can. */
  refusing(): string | null;
  /** Looks at the disk, and tries a write where the last one failed. */
  look(): Promise<void>;
  /** The same writer for new work, which is refused while there is no room for it. */
  confine(writer: Writer): Writer;
}

/** Beside as much as the log holds, which the database may grow by. */
const RESERVE_BYTES = 32 * 1024 ** 2;
/** New work is not let in and refused again at every page. */
const ENOUGH = 1.25;
/** Longer than any page: a row of it needs pages of its own. */
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
      // What it comes to is heard below.
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
      // A transaction that changes nothing commits on a full disk too.
      if (failure !== null && changes.get() !== changesThen) failure = null;
    },
    rolledBack(error) {
      if (!isUnavailable(error)) return;
      failure = `the last write failed: ${error.message}`;
      changesThen = changes.get();
    },
  };
}
