/**
 * Between deciders and the store: validates events, seals their personal fields, opens and upcasts them.
 *
 * All personal fields of an event are sealed together, in one box beside the plain fields:
 * `{…plain fields, sealed: {key: "<key id>", box: "<base64>"}}`. Once the key is destroyed they read as null.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { DomainEvent } from '../domain/kernel/event.js';
import type { SchemaRegistry } from '../domain/kernel/schema-registry.js';
import { StoreUnavailable, type EventMeta, type NewRecord, type StoredRecord } from '../ports/event-store.js';
import { subjectOfKey, type PersonalKey, type PersonalKeys } from '../ports/personal-keys.js';
import { drawRandomBytes } from '../ports/random-bytes.js';

/** An event as the rest of the product reads it: in its current version, with personal fields in plain text or null. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly event: E;
  readonly record: StoredRecord;
}

interface Sealed {
  readonly key: string;
  readonly box: string;
}

export interface EventCodec {
  /**
   * @param dataFrom when the personal data came in, epoch milliseconds; default: now. If the person was erased since,
   * the event is stored as one of before the erasure: its personal fields are null for every reader, at once
   * @throws InvalidEvent; Error, a programming error, when an event with personal fields has no subject
   */
  encode(
    event: DomainEvent,
    eventId: string,
    meta: EventMeta,
    subject: string | null,
    dataFrom?: number,
  ): Promise<NewRecord> | NewRecord;
  /** The event as readers of the record get it: without its personal fields where the person was erased. */
  asStored<E extends DomainEvent>(record: NewRecord, event: E): E;
  /** Fetches the keys that `decode` needs for these records. */
  prepare(records: readonly StoredRecord[]): Promise<void>;
  /**
   * Synchronous. Call `prepare` first, unless this process encoded the record a moment ago.
   * @throws StoreUnavailable when a key was fetched so long ago that it may have been destroyed, or was dropped because
   * a person was erased: call `prepare` again
   */
  decode<E extends DomainEvent = DomainEvent>(record: StoredRecord): RecordedEvent<E>;
  /** @throws StoreUnavailable when keys cannot be fetched, or not fast enough to still be trusted */
  decodeAll<E extends DomainEvent = DomainEvent>(
    records: readonly StoredRecord[],
  ): Promise<readonly RecordedEvent<E>[]>;
  /** Drops all keys that this process has cached. Called after a person's key was destroyed. */
  forget(): void;
  /** Registers a listener that drops decoded events that are cached elsewhere in memory. */
  onForget(listener: () => void): void;
}

export interface CodecOptions {
  /** How long an opened key is trusted, milliseconds, where another process may destroy it. */
  readonly keysFreshMs: number;
  /** Monotonic clock, milliseconds. */
  readonly monotonic: () => number;
}

/** Where only this process can destroy keys, cached keys never become stale. */
const ALWAYS_FRESH: CodecOptions = { keysFreshMs: Infinity, monotonic: () => 0 };

/** Keys cached for decoding, per process. Bounded, as a rebuild over millions of people must not exhaust memory. */
const MAX_KEYS = 50_000;
const DECODE_ATTEMPTS = 3;

interface Opened {
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

export function createCodec(
  registry: SchemaRegistry,
  keys: PersonalKeys,
  { keysFreshMs, monotonic }: CodecOptions = ALWAYS_FRESH,
): EventCodec {
  const opened = new Map<string, Opened>();
  const asking = new Map<string, Asked>();
  // Events that this process has just encoded, keyed by the identity of the data object. Inline projections then need
  // neither the key nor decryption.
  let fresh = new WeakMap<object, DomainEvent>();
  // These were encoded here, or their keys were cached, before somebody was forgotten: that nothing is cached of them
  // any more is no fault of the caller.
  const encodedHere = new WeakSet<object>();
  /** Events of people erased since the data came in, without their personal fields, by the identity of the data. */
  const lost = new WeakMap<object, DomainEvent>();
  let dropped: ReadonlySet<string> = new Set();
  const forgetters: (() => void)[] = [];
  let forgotten = 0;

  /** Keeps keys in the order of their last use, so that the keys of the current batch are evicted last. */
  const use = (keyId: string, key: Opened): void => {
    opened.delete(keyId);
    opened.set(keyId, key);
  };

  const isOlder = ({ since }: Pick<Opened, 'since'>, ms: number): boolean =>
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

  /** Caches a key used for sealing, as its events are decoded soon. Keeps its age, so that it expires in time. */
  function learn({ keyId, key, askedAt }: PersonalKey): void {
    if (askedAt === undefined || (opened.get(keyId)?.since ?? -Infinity) >= askedAt) return;
    use(keyId, { key, since: askedAt });
    dropOldest(MAX_KEYS);
  }

  /** The key, if it is the one that seals new events of the person, with its age. */
  function atHand(keyId: string): Opened | undefined {
    const subject = subjectOfKey(keyId);
    const known = subject === undefined ? undefined : keys.keyAtHand(subject);
    if (known?.keyId !== keyId || known.askedAt === undefined) return undefined;
    const found = { key: known.key, since: known.askedAt };
    return isOlder(found, keysFreshMs / 2) ? undefined : found;
  }

  function seal(event: DomainEvent, fields: readonly string[], eventId: string, key: PersonalKey): object {
    const plain: Record<string, unknown> = {};
    const secret: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(event.data)) {
      if (fields.includes(name)) secret[name] = value;
      else plain[name] = value;
    }
    plain['sealed'] = {
      key: key.keyId,
      box: encrypt(key.key, JSON.stringify(secret), eventId),
    } satisfies Sealed;
    return plain;
  }

  function finish(event: DomainEvent, eventId: string, meta: EventMeta, data: object): NewRecord {
    fresh.set(data, event);
    encodedHere.add(data);
    return { eventId, type: event.type, data: data as Record<string, unknown>, meta };
  }

  function sealedForNobody(
    event: DomainEvent,
    fields: readonly string[],
    eventId: string,
    meta: EventMeta,
    key: PersonalKey,
  ): NewRecord {
    const nulls = Object.fromEntries(fields.map((name) => [name, null]));
    const emptied: DomainEvent = { ...event, data: { ...event.data, ...nulls } };
    const data = seal(emptied, fields, eventId, key);
    lost.set(data, emptied);
    return finish(emptied, eventId, meta, data);
  }

  return {
    encode(event, eventId, meta, subject, dataFrom) {
      registry.validate(event);
      const fields = registry.personalFields(event.type);
      if (fields.length === 0) return finish(event, eventId, meta, { ...event.data });
      if (subject === null) throw new Error(`${event.type} holds personal data but names no subject`);
      const sealedBy = (key: PersonalKey): NewRecord =>
        finish(event, eventId, meta, seal(event, fields, eventId, key));
      const key = keys.keyAtHand(subject, dataFrom);
      if (key) return sealedBy(key);
      const before = forgotten;
      return keys.keyFor(subject, meta.company, dataFrom).then((made) => {
        if (made.lost) return sealedForNobody(event, fields, eventId, meta, made);
        if (forgotten === before) learn(made);
        return sealedBy(made);
      });
    },

    asStored: <E extends DomainEvent>(record: NewRecord, event: E) =>
      (lost.get(record.data) as E | undefined) ?? event,

    async prepare(records) {
      const needed = new Set<string>();
      for (const record of records) {
        const sealed = sealedPart(record);
        if (sealed && !fresh.has(record.data)) needed.add(sealed.key);
      }
      const missing: string[] = [];
      for (const keyId of needed) {
        const key = opened.get(keyId);
        // Fetched again at half its lifetime, so that it does not expire between here and `decode`.
        const young = key !== undefined && !isOlder(key, keysFreshMs / 2) ? key : atHand(keyId);
        if (young === undefined) missing.push(keyId);
        else use(keyId, young);
      }
      if (missing.length === 0) return dropOldest(Math.max(MAX_KEYS, needed.size));
      const before = forgotten;
      const asked = ask(missing);
      const answers = await Promise.all(asked.map(({ answer }) => answer));
      // A key in the response may have been destroyed meanwhile.
      if (forgotten !== before) return this.prepare(records);
      for (const [index, keyId] of missing.entries()) {
        use(keyId, { key: answers[index]!.get(keyId) ?? null, since: asked[index]!.since });
      }
      dropOldest(Math.max(MAX_KEYS, needed.size));
    },

    decode<E extends DomainEvent>(record: StoredRecord): RecordedEvent<E> {
      const own = fresh.get(record.data);
      if (own) return { event: own as E, record };
      const sealed = sealedPart(record);
      const { type, meta, eventId } = record;
      if (!sealed) return found<E>(record, registry.upcast(type, meta.schema_version, record.data));
      const key = opened.get(sealed.key);
      if (key === undefined) {
        if (encodedHere.has(record.data) || dropped.has(sealed.key))
          throw new StoreUnavailable(
            `a person was erased while event ${eventId} was read: its key is asked for again`,
          );
        throw new Error(`key of event ${eventId} was not prepared`);
      }
      // This process was suspended in between, or its store is slow. The event itself is fine: the error is transient.
      if (isOlder(key, keysFreshMs)) {
        throw new StoreUnavailable(`the key of event ${eventId} was asked for too long ago`);
      }
      if (key.key !== null) {
        const data = withoutSealed(record.data);
        Object.assign(data, decrypt(key.key, sealed.box, eventId));
        return found<E>(record, registry.upcast(type, meta.schema_version, data));
      }
      // Null under the current field names, regardless of what an upcaster makes of the missing fields.
      const nulls = erased(registry, type);
      return found<E>(record, {
        ...registry.upcast(type, meta.schema_version, { ...withoutSealed(record.data), ...nulls }),
        ...nulls,
      });
    },

    async decodeAll<E extends DomainEvent>(records: readonly StoredRecord[]) {
      for (let attempt = 1; ; attempt += 1) {
        await this.prepare(records);
        try {
          return records.map((record) => this.decode<E>(record));
        } catch (error) {
          if (!(error instanceof StoreUnavailable) || attempt >= DECODE_ATTEMPTS) throw error;
        }
      }
    },

    forget() {
      dropped = new Set(opened.keys());
      opened.clear();
      asking.clear();
      forgotten += 1;
      fresh = new WeakMap();
      for (const listener of forgetters) listener();
    },

    onForget(listener) {
      forgetters.push(listener);
    },
  };
}

function found<E extends DomainEvent>(
  record: StoredRecord,
  data: Readonly<Record<string, unknown>>,
): RecordedEvent<E> {
  return { event: { type: record.type, data } as unknown as E, record };
}

function sealedPart(record: { readonly data: Readonly<Record<string, unknown>> }): Sealed | undefined {
  return record.data['sealed'] as Sealed | undefined;
}

/** A copy that may be modified. Uses a loop: destructuring costs as much as the rest of opening an event. */
function withoutSealed(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(data)) if (name !== 'sealed') plain[name] = data[name];
  return plain;
}

function erased(registry: SchemaRegistry, type: string): Record<string, null> {
  return Object.fromEntries(registry.personalFields(type).map((name) => [name, null]));
}

const IV = 12;
const TAG = 16;

/** The event id is authenticated with the box (AAD), so that a box cannot be moved to another event. */
function encrypt(key: Uint8Array, text: string, eventId: string): string {
  const iv = drawRandomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(eventId));
  const body = cipher.update(text, 'utf8');
  const rest = cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), body, rest]).toString('base64');
}

function decrypt(key: Uint8Array, box: string, eventId: string): Record<string, unknown> {
  const bytes = Buffer.from(box, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV));
  decipher.setAAD(Buffer.from(eventId));
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
  const text = decipher.update(bytes.subarray(IV + TAG), undefined, 'utf8') + decipher.final('utf8');
  return JSON.parse(text) as Record<string, unknown>;
}
