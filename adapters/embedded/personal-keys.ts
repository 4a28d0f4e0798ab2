/**
 * The PersonalKeys port over SQLite. Keys are stored sealed under the master key; destroying a key overwrites it.
 *
 * A new key is usable at once and stays unsaved until the next transaction. Every transaction begins by saving unsaved
 * keys. So no event sealed with a key can be durable before the key is, and a key has no transaction to itself.
 */
import { createCache } from '../../ports/cache.js';
import type { Clock } from '../../ports/clock.js';
import {
  isOlderThanKey,
  keyIdOf,
  lostKeyOf,
  type PersonalKey,
  type PersonalKeys,
} from '../../ports/personal-keys.js';
import { drawRandomBytes } from '../../ports/random-bytes.js';
import type { SecretBox } from '../../ports/secret-box.js';
import type { Db } from './database.js';
import type { Logger } from '../../ports/logger.js';
import type { Participant } from './participant.js';
import type { Writer } from './writer.js';
import { PassingMap } from '../../ports/passing.js';

interface KeyRow {
  readonly key_id: string;
  readonly sealed_key: string;
}

interface GenerationRow extends KeyRow {
  readonly destroyed_at: string | null;
}

interface Unsaved {
  readonly made: PersonalKey;
  readonly company: string;
  readonly sealed: string;
  readonly createdAt: string;
}

/** People whose key is kept in memory: about 10 MB. */
const MAX_CACHED = 50_000;

/**
 * The keys of a subject by their ids, which begin with it: an index by subject would cost each new person a page. The
 * range ends at the sign after the dot.
 */
export const OF_SUBJECT = 'key_id > ? AND key_id < ? AND subject = ?';
const ofSubject = (subject: string): readonly [string, string, string] => [
  `${subject}.`,
  `${subject}/`,
  subject,
];

export function createPersonalKeys(
  db: Db,
  deps: {
    readonly writer: () => Writer;
    readonly secretBox: SecretBox;
    readonly clock: Clock;
    readonly logger: Logger;
    /** Removes from every log what SQLite has committed. */
    readonly cutLogs: () => void;
  },
): PersonalKeys & Participant {
  const { secretBox, clock } = deps;
  const insert = db.prepare(
    'INSERT INTO personal_keys (key_id, subject, company, created_at, sealed_key) VALUES (?, ?, ?, ?, ?)',
  );
  const generations = db.prepare<unknown[], GenerationRow>(
    `SELECT key_id, sealed_key, destroyed_at FROM personal_keys WHERE ${OF_SUBJECT}`,
  );
  const byId = db.prepare<unknown[], KeyRow>(
    'SELECT key_id, sealed_key FROM personal_keys WHERE key_id = ? AND destroyed_at IS NULL',
  );
  const overwrite = db.prepare(
    `UPDATE personal_keys SET destroyed_at = ?, sealed_key = substr(hex(zeroblob(length(sealed_key))), 1, length(sealed_key))
     WHERE ${OF_SUBJECT} AND destroyed_at IS NULL`,
  );

  const cache = createCache<string, PersonalKey>(MAX_CACHED);
  const unsaved = new PassingMap<string, Unsaved>();
  let saving: string[] = [];
  const destroying = new Map<string, Promise<unknown>>();
  let destroyed = false;

  const context = (keyId: string): string => `personal-key:${keyId}`;

  /** A copy: the decoded key shares an 8 KiB buffer with others, and a cached key would keep all of it in memory. */
  const unseal = (row: KeyRow): Uint8Array =>
    new Uint8Array(Buffer.from(secretBox.open(row.sealed_key, context(row.key_id)), 'base64'));

  /** @param earlier number of keys that the person has had */
  function make(
    subject: string,
    company: string,
    earlier: number,
    after?: Pick<PersonalKey, 'madeAfter'>,
  ): PersonalKey {
    const keyId = keyIdOf(subject, earlier + 1);
    const key = drawRandomBytes(32);
    const sealed = secretBox.seal(Buffer.from(key).toString('base64'), context(keyId));
    const made = { keyId, key, ...after };
    unsaved.set(subject, { made, company, sealed, createdAt: new Date(clock.now()).toISOString() });
    return made;
  }

  const knownKey = (subject: string): PersonalKey | undefined =>
    unsaved.get(subject)?.made ?? cache.get(subject);

  return {
    keyAtHand(subject, dataFrom) {
      const known = destroying.has(subject) ? undefined : knownKey(subject);
      return known && isOlderThanKey(known, dataFrom) ? undefined : known;
    },

    async keyFor(subject, company, dataFrom) {
      // Waits for a destruction in progress, so that nothing new is sealed with the key that is being destroyed.
      while (destroying.has(subject)) await destroying.get(subject)?.catch(() => undefined);
      const known = knownKey(subject);
      if (known && !isOlderThanKey(known, dataFrom)) return known;
      // One query, because most people are new.
      const rows = generations.all(...ofSubject(subject));
      const after = lastDestroyed(rows);
      // No key is made for this: the person may never return.
      if (after && dataFrom !== undefined && dataFrom < after.madeAfter) return lostKeyOf(subject);
      const row = rows.find(({ destroyed_at }) => destroyed_at === null);
      const key = row
        ? { keyId: row.key_id, key: unseal(row), ...after }
        : make(subject, company, rows.length, after);
      cache.set(subject, key);
      return key;
    },

    async open(keyIds) {
      const found = new Map<string, Uint8Array>();
      for (const keyId of keyIds) {
        const row = byId.get(keyId);
        if (row) found.set(keyId, unseal(row));
      }
      for (const { made } of unsaved.values()) {
        if (keyIds.includes(made.keyId)) found.set(made.keyId, made.key);
      }
      return found;
    },

    async destroy(subject) {
      cache.delete(subject);
      // Writes of data already sealed with the key were submitted before: they must not be committed after the
      // destruction.
      const written = deps.writer().flush();
      const overwriteKeys = () => {
        destroyed = true;
        return overwrite.run(new Date(clock.now()).toISOString(), ...ofSubject(subject)).changes;
      };
      const work = written.then(() => deps.writer().submit(overwriteKeys));
      destroying.set(subject, work);
      try {
        return await work;
      } finally {
        if (destroying.get(subject) === work) destroying.delete(subject);
      }
    },

    before() {
      for (const [subject, { made, company, sealed, createdAt }] of unsaved) {
        insert.run(made.keyId, subject, company, createdAt, sealed);
        saving.push(subject);
      }
    },

    /** The saved keys are durable now. After a destruction, the old row also leaves the logs. */
    committed() {
      for (const subject of saving) unsaved.delete(subject);
      saving = [];
      if (!destroyed) return;
      destroyed = false;
      try {
        deps.cutLogs();
      } catch (error) {
        deps.logger.warn({ err: error }, 'a log that still holds a destroyed key could not be cut at once');
      }
    },

    rolledBack() {
      saving = [];
      destroyed = false;
    },
  };
}

/** Undefined where the person was never erased. */
function lastDestroyed(rows: readonly GenerationRow[]): { readonly madeAfter: number } | undefined {
  const destroyed = rows.flatMap(({ destroyed_at: at }) => (at === null ? [] : [Date.parse(at)]));
  return destroyed.length === 0 ? undefined : { madeAfter: Math.max(...destroyed) };
}
