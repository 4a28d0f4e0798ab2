/**
 * The newest key of a person: found, or made as the next generation. It is read back only once a majority has it: no
 * event can outlive the key it was sealed with.
 */
import { MongoServerError, type Collection } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { keyIdOf, type PersonalKey } from '../../ports/personal-keys.js';
import type { SecretBox } from '../../ports/secret-box.js';
import { pause } from '../../ports/waiting.js';
import type { ReadKey } from './personal-keys-believed.js';
import { sealedKey, unsealedKey, type KeyDocument } from './personal-keys-collection.js';
import { gatheredKeys } from './personal-keys-first.js';

const DUPLICATE_KEY = 11000;
const LONGEST_PAUSE_MS = 100;

/** @throws StoreUnavailable */
export type NewestKey = (subject: string, company: string) => Promise<ReadKey>;

interface NewestKeyOptions {
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** Longest wait for the key, milliseconds. */
  readonly withinMs: number;
  /** People who are remembered to have a key. */
  readonly most: number;
}

export function createNewestKey(
  keys: Collection<KeyDocument>,
  answer: <T>(work: () => Promise<T>) => Promise<T>,
  { secretBox, clock, withinMs, most }: NewestKeyOptions,
): NewestKey {
  const firstKeys = gatheredKeys(keys, answer, most);

  const newKey = (subject: string, company: string, generation: number): KeyDocument =>
    sealedKey(secretBox, { subject, company, generation, createdAt: clock.now() });

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

  return async (subject, company) => {
    const deadline = clock.monotonic() + withinMs;
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
        return { keyId: live._id, key: unsealedKey(secretBox, live), askedAt, ...after };
      }
    }
    throw new StoreUnavailable('MongoDB did not show a key that is there, in time');
  };
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

const isLive = ({ doomed_at, destroyed_at }: KeyDocument): boolean =>
  doomed_at === undefined && destroyed_at === undefined;
