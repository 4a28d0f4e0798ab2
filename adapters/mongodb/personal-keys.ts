/**
 * The PersonalKeys port over MongoDB. Keys are stored sealed under the master key, majority-acknowledged and journaled
 * before any caller receives one. They are read back only once a majority has them: no event can outlive the key it was
 * sealed with.
 *
 * Every process trusts a key it has read for a few seconds, by its monotonic clock and from when it began to read.
 * Destroying a key marks it first: from then on no process opens it or hands it out anew, and `keyFor` makes the next
 * generation. Once no process can still trust its cache, the key is overwritten. Keys that a crash leaves marked are
 * overwritten with the next destruction, of any person.
 *
 * A primary that was cut off and does not know it yet may return an unmarked key for the seconds until it steps down.
 * Data sealed with that key meanwhile reads as erased afterwards.
 */
import type { Db } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { isOlderThanKey, lostKeyOf, type PersonalKey, type PersonalKeys } from '../../ports/personal-keys.js';
import type { SecretBox } from '../../ports/secret-box.js';
import { pause } from '../../ports/waiting.js';
import { bounded } from './bounded.js';
import { gathered } from './gathered.js';
import { indexedOnce } from './indexes.js';
import { createBelievedKeys, type ReadKey } from './personal-keys-believed.js';
import { LIVE, personalKeysOf, unsealedKey, type KeyDocument } from './personal-keys-collection.js';
import { markKeys, overwriteKeys } from './personal-keys-destroying.js';
import { createNewestKey } from './personal-keys-newest.js';

/** How long a process may trust a key it has read, milliseconds. Must not be lower here than in another process. */
export const KEYS_FRESH_MS = 5_000;

export interface PersonalKeysOptions {
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** Default `KEYS_FRESH_MS`. */
  readonly freshMs?: number | undefined;
  /** Longest wait for an answer, milliseconds. Default 5,000. */
  readonly answerMs?: number;
}

/** A request under way, shared by all callers who make it meanwhile. */
interface Asked {
  readonly answer: Promise<ReadKey>;
  /** A destruction began after the request: its answer no longer counts. */
  withdrawn: boolean;
}

/** People whose key is held in memory: about 10 MB. */
const MAX_CACHED = 50_000;
/** Keys opened with one query. */
const MAX_OPENED = 1_000;
/** No two clocks run at quite the same rate. */
const DRIFT = 1.1;

export function createPersonalKeys(db: Db, options: PersonalKeysOptions): PersonalKeys {
  const { secretBox, clock, freshMs = KEYS_FRESH_MS, answerMs = 5_000 } = options;
  const keys = personalKeysOf(db);
  const believed = createBelievedKeys(clock, freshMs, MAX_CACHED);
  const asking = new Map<string, Asked>();
  const marking = new Map<string, Promise<unknown>>();
  /** Destructions that this process has begun. */
  let destructions = 0;
  const withIndexes = indexedOnce(db, keys, [
    { name: 'by_subject', key: { subject: 1, generation: -1 } },
    { name: 'doomed', key: { doomed_at: 1 }, sparse: true },
  ]);
  const answer = <T>(work: () => Promise<T>): Promise<T> => bounded(answerMs, withIndexes().then(work));
  const newestKey = createNewestKey(keys, answer, {
    secretBox,
    clock,
    withinMs: answerMs,
    most: MAX_CACHED,
  });

  const openOne = gathered(async (keyIds) => {
    const askedAt = clock.monotonic();
    const before = marking.size === 0 ? destructions : null;
    const found = await answer(() => keys.find({ _id: { $in: [...keyIds] }, ...LIVE }).toArray());
    const opened = new Map(found.map((document) => [document._id, unsealedKey(secretBox, document)]));
    // A live key is the newest of its person, so it can be used to seal, unless this process destroys keys meanwhile.
    for (const { _id: keyId, subject, generation } of before === destructions ? found : []) {
      const key = opened.get(keyId);
      // A later generation is kept by `keyFor` alone, which knows when the one before it was destroyed.
      if (key && generation === 1 && believed.of(subject) === undefined)
        believed.keep(subject, { keyId, key, askedAt });
    }
    return opened;
  }, MAX_OPENED);

  function atHand(subject: string): PersonalKey | undefined {
    return marking.has(subject) ? undefined : believed.of(subject);
  }

  function ask(subject: string, company: string): Asked {
    const known = asking.get(subject);
    if (known) return known;
    const asked: Asked = { answer: newestKey(subject, company), withdrawn: false };
    asking.set(subject, asked);
    const forget = (): void => {
      if (asking.get(subject) === asked) asking.delete(subject);
    };
    asked.answer.then((found) => {
      if (!asked.withdrawn) believed.keep(subject, found);
      forget();
    }, forget);
    return asked;
  }

  async function liveKey(subject: string, company: string): Promise<PersonalKey> {
    const deadline = clock.monotonic() + 2 * answerMs;
    do {
      // No caller may receive a key that this process is about to mark.
      while (marking.has(subject)) await marking.get(subject)?.catch(() => undefined);
      const known = atHand(subject);
      if (known) return known;
      const asked = ask(subject, company);
      const key = believed.believable(await asked.answer);
      if (key && !asked.withdrawn) return key;
    } while (clock.monotonic() < deadline);
    throw new StoreUnavailable('MongoDB answers too slowly for its keys to be believed');
  }

  return {
    keyAtHand(subject, dataFrom) {
      const known = atHand(subject);
      return known && isOlderThanKey(known, dataFrom) ? undefined : known;
    },

    async keyFor(subject, company, dataFrom) {
      const live = await liveKey(subject, company);
      return isOlderThanKey(live, dataFrom) ? lostKeyOf(subject) : live;
    },

    async open(keyIds) {
      const opened = new Map<string, Uint8Array>();
      await Promise.all(
        keyIds.map(async (keyId) => {
          const key = await openOne(keyId);
          if (key !== undefined) opened.set(keyId, key);
        }),
      );
      return opened;
    },

    async destroy(subject) {
      destructions += 1;
      const marked = markKeys(keys, answer, subject, () => clock.now());
      marking.set(subject, marked);
      believed.forget(subject);
      const asked = asking.get(subject);
      if (asked) {
        asked.withdrawn = true;
        asking.delete(subject);
      }
      let doomed: readonly KeyDocument[];
      try {
        doomed = await marked;
      } finally {
        if (marking.get(subject) === marked) marking.delete(subject);
      }
      if (doomed.length === 0) return 0;
      await pause(clock, freshMs * DRIFT);
      await overwriteKeys(keys, answer, doomed);
      return doomed.filter((document) => document.subject === subject).length;
    },
  };
}
