/** The SealedKeys port over SQLite. It reads the rows of personal-keys.ts as they are stored. */
import type { SealedKey, SealedKeys } from '../../ports/sealed-keys.js';
import type { Db } from './database.js';
import { LIMIT } from './limit.js';
import type { Writer } from './writer.js';
import { pageSize } from '../../ports/page-size.js';

const MAX_PAGE = 1_000;

export function createSealedKeys(db: Db, writer: Writer): SealedKeys {
  // The text that overwrote a destroyed key has no meaning.
  const page = db.prepare<unknown[], SealedKey>(
    `SELECT key_id, subject, company, created_at, destroyed_at,
            CASE WHEN destroyed_at IS NULL THEN sealed_key END AS sealed_key
     FROM personal_keys WHERE key_id > ? ORDER BY key_id ${LIMIT}`,
  );
  const insert = db.prepare(
    `INSERT INTO personal_keys (key_id, subject, company, created_at, destroyed_at, sealed_key)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key_id) DO NOTHING`,
  );
  return {
    async list(after, limit) {
      // A key may be in use before it is saved with the next transaction.
      await writer.flush();
      return page.all(after, pageSize(limit, MAX_PAGE));
    },
    restore: (keys) =>
      writer.submit(() => {
        for (const { key_id, subject, company, created_at, destroyed_at, sealed_key } of keys) {
          insert.run(key_id, subject, company, created_at, destroyed_at, sealed_key ?? '');
        }
      }, keys.length),
  };
}
