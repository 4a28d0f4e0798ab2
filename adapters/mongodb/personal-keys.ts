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
import { randomBytes } from 'node:crypto';
import { MongoServerError, type Db } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import {
  isOlderThanKey,
  keyIdOf,
  lostKeyOf,
  type PersonalKey,
  type PersonalKeys,
} from '../../ports/personal-keys.js';
import type { SecretBox } from '../../ports/secret-box.js';
import { pause } from '../../ports/waiting.js';
import { bounded } from './bounded.js';
import { gathered } from './gathered.js';
import { createIndexes } from './indexes.js';
import { gatheredKeys } from './personal-keys-first.js';
import { personalKeysOf, type KeyDocument } from './personal-keys-collection.js';

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

interface Believed {
  readonly key: PersonalKey;
  /** By the monotonic clock. */
  readonly until: number;
}

/** A request under way, shared by all callers who make it meanwhile. */
interface Asked {
  readonly answer: Promise<Believed>;
  /** A destruction began after the request: its answer no longer counts. */
  withdrawn: boolean;
}

/** People whose key is held in memory: about 10 MB. */
const MAX_CACHED = 50_000;
/** Keys opened with one query. */
const MAX_OPENED = 1_000;
const DUPLICATE_KEY = 11000;
const LONGEST_PAUSE_MS = 100;
/** No two clocks run at quite the same rate. */
const DRIFT = 1.1;
/** Live keys. Null also matches a missing field. */
const LIVE = { doomed_at: null, destroyed_at: null } as unknown as Partial<KeyDocument>;

const context = (keyId: string): string => `personal-key:${keyId}`;

export function createPersonalKeys(db: Db, options: PersonalKeysOptions): PersonalKeys {
  const { secretBox, clock, freshMs = KEYS_FRESH_MS, answerMs = 5_000 } = options;
  const keys = personalKeysOf(db);
  /** In the order of the requests: entries that are no longer trusted come first, and are removed when one is added. */
  const cache = new Map<string, Believed>();
  const asking = new Map<string, Asked>();
  const marking = new Map<string, Promise<unknown>>();
  /** Destructions that this process has begun. */
  let destructions = 0;
  let indexed: Promise<unknown> | undefined;

  const answer = <T>(work: () => Promise<T>): Promise<T> => bounded(answerMs, withIndexes().then(work));
  const now = (): string => new Date(clock.now()).toISOString();

  function withIndexes(): Promise<unknown> {
    indexed ??= createIndexes(db, keys, [
      { name: 'by_subject', key: { subject: 1, generation: -1 } },
      { name: 'doomed', key: { doomed_at: 1 }, sparse: true },
    ]).catch((error: unknown) => {
      indexed = undefined;
      throw error;
    });
    return indexed;
  }

  /** Returns a copy: a small buffer of Node's is a slice of 8 KiB, all of which it keeps from being collected. */
  const unseal = ({ _id, sealed_key }: KeyDocument): Uint8Array =>
    new Uint8Array(Buffer.from(secretBox.open(sealed_key, context(_id)), 'base64'));

  const openOne = gathered(async (keyIds) => {
    const askedAt = clock.monotonic();
    const before = marking.size === 0 ? destructions : null;
    const found = await answer(() => keys.find({ _id: { $in: [...keyIds] }, ...LIVE }).toArray());
    const opened = new Map(found.map((document) => [document._id, unseal(document)]));
    // A live key is the newest of its person, so it can be used to seal, unless this process destroys keys meanwhile.
    for (const { _id: keyId, subject, generation } of before === destructions ? found : []) {
      const key = opened.get(keyId);
      // A later generation is kept by `keyFor` alone, which knows when the one before it was destroyed.
      if (key && generation === 1 && believable(cache.get(subject)) === undefined)
        keep(subject, { key: { keyId, key, askedAt }, until: askedAt + freshMs });
    }
    return opened;
  }, MAX_OPENED);

  const firstKeys = gatheredKeys(keys, answer, MAX_CACHED);

  const believable = (found: Believed | undefined): PersonalKey | undefined =>
    found !== undefined && clock.monotonic() < found.until ? found.key : undefined;

  function keep(subject: string, found: Believed): void {
    cache.delete(subject);
    cache.set(subject, found);
    for (const [oldest, known] of cache) {
      if (believable(known) !== undefined && cache.size <= MAX_CACHED) return;
      cache.delete(oldest);
    }
  }

  function atHand(subject: string): PersonalKey | undefined {
    return marking.has(subject) ? undefined : believable(cache.get(subject));
  }

  function newKey(subject: string, company: string, generation: number): KeyDocument {
    const keyId = keyIdOf(subject, generation);
    const sealed_key = secretBox.seal(randomBytes(32).toString('base64'), context(keyId));
    return { _id: keyId, subject, generation, company, created_at: now(), sealed_key };
  }

  /** Null when another process has made this generation. */
  async function make(document: KeyDocument): Promise<KeyDocument | null> {
    try {
      await answer(() => keys.insertOne(document));
      return document;
    } catch (error) {
      if (isDuplicate(error)) return null;
      throw error;
    }
  }

  /** Finds the first key of a person, or makes it. Null when another process makes it. */
  async function firstKey(subject: string, company: string): Promise<KeyDocument | null> {
    return (await firstKeys(newKey(subject, company, 1))) ?? null;
  }

  /** Asks nothing for a first key, as most are. */
  async function erasedBefore({ subject, generation }: KeyDocument): Promise<Pick<PersonalKey, 'madeAfter'>> {
    if (generation === 1) return {};
    const ended = await answer(() => keys.findOne({ _id: keyIdOf(subject, generation - 1) }));
    const at = ended?.doomed_at ?? ended?.destroyed_at;
    return at === undefined ? {} : { madeAfter: Date.parse(at) };
  }

  async function findOrMake(subject: string, company: string): Promise<Believed> {
    const deadline = clock.monotonic() + answerMs;
    for (let wait = 0; clock.monotonic() < deadline; wait = Math.min(LONGEST_PAUSE_MS, wait * 2 + 5)) {
      // The key was made by another process, and perhaps a majority does not have it yet.
      if (wait > 0) await pause(clock, wait);
      const askedAt = clock.monotonic();
      const newest =
        wait === 0
          ? await firstKey(subject, company)
          : await answer(() => keys.findOne({ subject }, { sort: { generation: -1 } }));
      const live =
        newest !== null && isLive(newest)
          ? newest
          : await make(newKey(subject, company, (newest?.generation ?? 0) + 1));
      if (live !== null) {
        const after = await erasedBefore(live);
        return { key: { keyId: live._id, key: unseal(live), askedAt, ...after }, until: askedAt + freshMs };
      }
    }
    throw new StoreUnavailable('MongoDB did not show a key that is there, in time');
  }

  function ask(subject: string, company: string): Asked {
    const known = asking.get(subject);
    if (known) return known;
    const asked: Asked = { answer: findOrMake(subject, company), withdrawn: false };
    asking.set(subject, asked);
    const forget = (): void => {
      if (asking.get(subject) === asked) asking.delete(subject);
    };
    asked.answer.then((found) => {
      if (!asked.withdrawn) keep(subject, found);
      forget();
    }, forget);
    return asked;
  }

  /**
   * Marks this person's keys. Returns the keys to overwrite: this person's, and any others that a crash has left
   * marked.
   */
  async function mark(subject: string): Promise<readonly KeyDocument[]> {
    await answer(() => keys.updateMany({ subject, ...LIVE }, { $set: { doomed_at: now() } }));
    return answer(() => keys.find({ doomed_at: { $exists: true } }).toArray());
  }

  async function liveKey(subject: string, company: string): Promise<PersonalKey> {
    const deadline = clock.monotonic() + 2 * answerMs;
    do {
      // No caller may receive a key that this process is about to mark.
      while (marking.has(subject)) await marking.get(subject)?.catch(() => undefined);
      const known = atHand(subject);
      if (known) return known;
      const asked = ask(subject, company);
      const key = believable(await asked.answer);
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
      const marked = mark(subject);
      marking.set(subject, marked);
      cache.delete(subject);
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
      await answer(() =>
        keys.updateMany(
          { _id: { $in: doomed.map(({ _id }) => _id) }, doomed_at: { $exists: true } },
          // From the mark on, what comes in is sealed with the next generation: it is the date of the erasure.
          [{ $set: { sealed_key: '', destroyed_at: '$doomed_at' } }, { $unset: 'doomed_at' }],
        ),
      );
      return doomed.filter((document) => document.subject === subject).length;
    },
  };
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

const isLive = ({ doomed_at, destroyed_at }: KeyDocument): boolean =>
  doomed_at === undefined && destroyed_at === undefined;
