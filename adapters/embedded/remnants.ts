/**
 * Ensures that nothing deleted so far can be read in `recado.db` or its log. Used at the end of an erasure.
 *
 * Pages cached by this process hold the same leftovers as the file, and return to it with the next change of the page.
 * So after the file is cleared, the cache is emptied and the file is cleared again. This repeats until none of the
 * pages with leftovers in the first round has any.
 */
import type { Db } from './database.js';
import { clearSlack } from './slack.js';
import type { RedoTransactions } from './transactions.js';

const ROUNDS = 10;
const LOG_HELD =
  'the write-ahead log of recado.db, which another program reads or a busy server never leaves empty';
const BUSY = 'pages of recado.db that change faster than they can be cleared';

/** Resolves with the reason to wait for; null when no trace is left of rows deleted before the call. */
export function createRemnants(deps: {
  readonly db: Db;
  readonly path: string;
  /** Writes what is not in its table yet, which replaces earlier versions there. */
  readonly flush: () => Promise<void>;
  readonly transactions: Pick<RedoTransactions, 'settleAndCut' | 'settleEach'>;
}): () => Promise<string | null> {
  const { db, path, flush, transactions } = deps;

  return async () => {
    await flush();
    // A transaction that stays open would keep SQLite's log from being emptied.
    const end = transactions.settleEach();
    try {
      transactions.settleAndCut();
      return await clear();
    } finally {
      end();
    }
  };

  async function clear(): Promise<string | null> {
    let left: ReadonlySet<number> | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const cleared = await clearSlack(path);
      if (cleared === null) return LOG_HELD;
      db.pragma('shrink_memory');
      left = new Set(cleared.filter((page) => left?.has(page) ?? true));
      if (left.size === 0) return null;
    }
    return BUSY;
  }
}
