/** The SealedKeys port over MongoDB. It reads the documents of personal-keys.ts as they are stored. */
import type { Db } from 'mongodb';
import type { SealedKey, SealedKeys } from '../../ports/sealed-keys.js';
import { bounded } from './bounded.js';
import { personalKeysOf, type KeyDocument } from './personal-keys-collection.js';
import { pageSize } from '../../ports/page-size.js';

const MAX_PAGE = 1_000;

export function createSealedKeys(db: Db, answerMs: number): SealedKeys {
  const keys = personalKeysOf(db);
  return {
    async list(after, limit) {
      const found = await bounded(
        answerMs,
        keys
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(pageSize(limit, MAX_PAGE))
          .toArray(),
      );
      return found.map(toSealedKey);
    },
    async restore(sealed) {
      if (sealed.length === 0) return;
      const writes = sealed.map(toDocument).map(({ _id, ...document }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: document }, upsert: true },
      }));
      await bounded(answerMs, keys.bulkWrite(writes, { ordered: false }));
    },
  };
}

function toSealedKey({ _id, subject, company, created_at, sealed_key, ...ends }: KeyDocument): SealedKey {
  // A marked key counts as destroyed: nobody opens it any more.
  const destroyed_at = ends.destroyed_at ?? ends.doomed_at ?? null;
  return {
    key_id: _id,
    subject,
    company,
    created_at,
    destroyed_at,
    sealed_key: destroyed_at === null ? sealed_key : null,
  };
}

function toDocument({ key_id, destroyed_at, sealed_key, ...plain }: SealedKey): KeyDocument {
  return {
    _id: key_id,
    ...plain,
    generation: Number(key_id.slice(key_id.lastIndexOf('.') + 1)),
    sealed_key: sealed_key ?? '',
    ...(destroyed_at === null ? {} : { destroyed_at }),
  };
}
