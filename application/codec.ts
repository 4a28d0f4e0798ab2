/**
 * Between deciders and the store: validates events, seals their personal fields, opens and upcasts them.
 *
 * All personal fields of an event are sealed together, in one box beside the plain fields:
 * `{…plain fields, sealed: {key: "<key id>", box: "<base64>"}}`. Once the key is destroyed they read as null.
 */
import type { DomainEvent } from '../domain/kernel/event.js';
import type { SchemaRegistry } from '../domain/kernel/schema-registry.js';
import { StoreUnavailable, type EventMeta, type NewRecord, type StoredRecord } from '../ports/event-store.js';
import type { PersonalKey, PersonalKeys } from '../ports/personal-keys.js';
import { createOpenedKeys, type KeyTrust } from './opened-keys.js';
import { decrypt, seal, sealedPart, withoutSealed } from './sealed-fields.js';

/** An event as the rest of the product reads it: in its current version, with personal fields in plain text or null. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly event: E;
  readonly record: StoredRecord;
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

/** Where only this process can destroy keys, cached keys never become stale. */
const ALWAYS_FRESH: KeyTrust = { keysFreshMs: Infinity, monotonic: () => 0 };

const DECODE_ATTEMPTS = 3;

export function createCodec(
  registry: SchemaRegistry,
  keys: PersonalKeys,
  trust: KeyTrust = ALWAYS_FRESH,
): EventCodec {
  const opened = createOpenedKeys(keys, trust);
  const staysFresh = trust.keysFreshMs === Infinity;
  // Events that this process has just encoded, keyed by the identity of the data object. Inline projections then need
  // neither the key nor decryption. Also those that it has opened, where no other process can destroy their keys.
  let fresh = new WeakMap<object, DomainEvent>();
  // These were encoded here, or their keys were cached, before somebody was forgotten: that nothing is cached of them
  // any more is no fault of the caller.
  const encodedHere = new WeakSet<object>();
  /** Events of people erased since the data came in, without their personal fields, by the identity of the data. */
  const lost = new WeakMap<object, DomainEvent>();
  const forgetters: (() => void)[] = [];

  function finish(event: DomainEvent, eventId: string, meta: EventMeta, data: object): NewRecord {
    fresh.set(data, event);
    encodedHere.add(data);
    return { eventId, type: event.type, data: data as Record<string, unknown>, meta };
  }

  /** Of the records that this process has not just encoded. */
  function keysOf(records: readonly StoredRecord[]): ReadonlySet<string> {
    const needed = new Set<string>();
    for (const record of records) {
      const sealed = sealedPart(record);
      if (sealed && !fresh.has(record.data)) needed.add(sealed.key);
    }
    return needed;
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
      const before = opened.timesForgotten();
      return keys.keyFor(subject, meta.company, dataFrom).then((made) => {
        if (made.lost) return sealedForNobody(event, fields, eventId, meta, made);
        if (opened.timesForgotten() === before) opened.learn(made);
        return sealedBy(made);
      });
    },

    asStored: <E extends DomainEvent>(record: NewRecord, event: E) =>
      (lost.get(record.data) as E | undefined) ?? event,

    prepare: (records) => opened.prepare(() => keysOf(records)),

    decode<E extends DomainEvent>(record: StoredRecord): RecordedEvent<E> {
      const own = fresh.get(record.data);
      if (own) return { event: own as E, record };
      const sealed = sealedPart(record);
      const { type, meta, eventId } = record;
      if (!sealed) return found<E>(record, registry.upcast(type, meta.schema_version, record.data));
      const key = opened.get(sealed.key);
      if (key === undefined) {
        if (encodedHere.has(record.data) || opened.wasForgotten(sealed.key))
          throw new StoreUnavailable(
            `a person was erased while event ${eventId} was read: its key is asked for again`,
          );
        throw new Error(`key of event ${eventId} was not prepared`);
      }
      // This process was suspended in between, or its store is slow. The event itself is fine: the error is transient.
      if (opened.isStale(key)) {
        throw new StoreUnavailable(`the key of event ${eventId} was asked for too long ago`);
      }
      if (key.key !== null) {
        const data = withoutSealed(record.data);
        Object.assign(data, decrypt(key.key, sealed.box, eventId));
        const read = found<E>(record, registry.upcast(type, meta.schema_version, data));
        if (staysFresh) fresh.set(record.data, read.event);
        return read;
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
      opened.forget();
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

function erased(registry: SchemaRegistry, type: string): Record<string, null> {
  return Object.fromEntries(registry.personalFields(type).map((name) => [name, null]));
}
