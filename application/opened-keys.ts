/** The personal keys that this process has fetched, and for how long it trusts them. */
import { subjectOfKey, type PersonalKey, type PersonalKeys } from '../ports/personal-keys.js';

export interface KeyTrust {
  /** How long an opened key is trusted, milliseconds, where another process may destroy it. */
  readonly keysFreshMs: number;
  /** Monotonic clock, milliseconds. */
  readonly monotonic: () => number;
}

export interface OpenedKey {
  /** Null when the key was destroyed. */
  readonly key: Uint8Array | null;
  /** When the key was requested, by the monotonic clock. */
  readonly since: number;
}

/** A key request in progress. Projections decode the same records concurrently, and share it. */
interface Asked {
  readonly answer: Promise<ReadonlyMap<string, Uint8Array>>;
  readonly since: number;
}

export interface OpenedKeys {
  /** Undefined for a key that was not fetched, or was dropped. */
  get(keyId: string): OpenedKey | undefined;
  /** It was fetched so long ago that it may have been destroyed. */
  isStale(key: OpenedKey): boolean;
  /**
   * Fetches the keys that are not here yet.
   * @param needed asked again after everything was forgotten, when more may be needed
   */
  prepare(needed: () => ReadonlySet<string>): Promise<void>;
  /** Keeps a key used for sealing, as its events are decoded soon. */
  learn(key: PersonalKey): void;
  forget(): void;
  /** How often everything was forgotten. */
  timesForgotten(): number;
  /** Whether it was here when everything was forgotten last. */
  wasForgotten(keyId: string): boolean;
}

/** Keys cached for decoding, per process. Bounded, as a rebuild over millions of people must not exhaust memory. */
const MAX_KEYS = 50_000;

export function createOpenedKeys(keys: PersonalKeys, { keysFreshMs, monotonic }: KeyTrust): OpenedKeys {
  const opened = new Map<string, OpenedKey>();
  const asking = new Map<string, Asked>();
  let dropped: ReadonlySet<string> = new Set();
  let forgotten = 0;

  /** Keeps keys in the order of their last use, so that the keys of the current batch are evicted last. */
  const use = (keyId: string, key: OpenedKey): void => {
    opened.delete(keyId);
    opened.set(keyId, key);
  };

  const isOlder = ({ since }: Pick<OpenedKey, 'since'>, ms: number): boolean =>
    ms < Infinity && monotonic() - since >= ms;

  /** Requests in one call the keys that no other call is requesting already. */
  function ask(keyIds: readonly string[]): readonly Asked[] {
    const open = keyIds.filter((keyId) => {
      const asked = asking.get(keyId);
      return asked === undefined || isOlder(asked, keysFreshMs / 2);
    });
    if (open.length > 0) {
      const asked: Asked = { since: monotonic(), answer: keys.open(open) };
      for (const keyId of open) asking.set(keyId, asked);
      const done = (): void => {
        for (const keyId of open) if (asking.get(keyId) === asked) asking.delete(keyId);
      };
      asked.answer.then(done, done);
    }
    return keyIds.map((keyId) => asking.get(keyId)!);
  }

  function dropOldest(keep: number): void {
    for (const keyId of opened.keys()) {
      if (opened.size <= keep) return;
      opened.delete(keyId);
    }
  }

  /** The key, if it is the one that seals new events of the person, with its age. */
  function atHand(keyId: string): OpenedKey | undefined {
    const subject = subjectOfKey(keyId);
    const known = subject === undefined ? undefined : keys.keyAtHand(subject);
    if (known?.keyId !== keyId || known.askedAt === undefined) return undefined;
    const found = { key: known.key, since: known.askedAt };
    return isOlder(found, keysFreshMs / 2) ? undefined : found;
  }

  /** Moves those that are here behind all others. @returns the others */
  function missingOf(needed: ReadonlySet<string>): readonly string[] {
    const missing: string[] = [];
    for (const keyId of needed) {
      const key = opened.get(keyId);
      // Fetched again at half its lifetime, so that it does not expire between here and `decode`.
      const young = key !== undefined && !isOlder(key, keysFreshMs / 2) ? key : atHand(keyId);
      if (young === undefined) missing.push(keyId);
      else use(keyId, young);
    }
    return missing;
  }

  return {
    get: (keyId) => opened.get(keyId),
    isStale: (key) => isOlder(key, keysFreshMs),
    async prepare(needed) {
      const now = needed();
      const missing = missingOf(now);
      if (missing.length === 0) return dropOldest(Math.max(MAX_KEYS, now.size));
      const before = forgotten;
      const asked = ask(missing);
      const answers = await Promise.all(asked.map(({ answer }) => answer));
      // A key in the response may have been destroyed meanwhile.
      if (forgotten !== before) return this.prepare(needed);
      for (const [index, keyId] of missing.entries()) {
        use(keyId, { key: answers[index]!.get(keyId) ?? null, since: asked[index]!.since });
      }
      dropOldest(Math.max(MAX_KEYS, now.size));
    },
    // It keeps its age, so that it expires in time.
    learn({ keyId, key, askedAt }) {
      if (askedAt === undefined || (opened.get(keyId)?.since ?? -Infinity) >= askedAt) return;
      use(keyId, { key, since: askedAt });
      dropOldest(MAX_KEYS);
    },
    forget() {
      dropped = new Set(opened.keys());
      opened.clear();
      asking.clear();
      forgotten += 1;
    },
    timesForgotten: () => forgotten,
    wasForgotten: (keyId) => dropped.has(keyId),
  };
}
