/**
 * Events as operators and analysts may see them: the data in the shape of the current version of its type, without
 * personal data and secrets.
 *
 * No key is opened for this. The person of an event is identified by the name of the key that seals the personal
 * fields. That name is a keyed hash of the company and the person (application/people/subject.ts), the same in every
 * event about them.
 */
import { SYSTEM_COMPANY } from '../../application/app.js';
import type { RecordedEvent } from '../../application/codec.js';
import type { SchemaRegistry } from '../../domain/kernel/schema-registry.js';
import type { StoredRecord } from '../../ports/event-store.js';

export const MASK = '***';
/** Sealed secrets and hashes of keys are useless to a reader but useful to an attacker. */
const SECRET = /(?:_sealed|secret_hash)$/;
/** A cache: field names are few, and matching a pattern for each field of each event is expensive. */
const secretNames = new Map<string, boolean>();

export function isSecret(name: string): boolean {
  let secret = secretNames.get(name);
  if (secret === undefined) secretNames.set(name, (secret = SECRET.test(name)));
  return secret;
}

export function maskedData(
  registry: SchemaRegistry,
  { type, data, meta }: Pick<StoredRecord, 'type' | 'data' | 'meta'>,
): Readonly<Record<string, unknown>> {
  const plain: Record<string, unknown> = { ...data };
  delete plain['sealed'];
  const personal = registry.personalFields(type);
  for (const name of personal) plain[name] = null;
  const masked: Record<string, unknown> = { ...registry.upcast(type, meta.schema_version, plain) };
  for (const name in masked) if (isSecret(name) && masked[name] !== null) masked[name] = MASK;
  for (const name of personal) masked[name] = MASK;
  return masked;
}

export const presentTimelineEvent = (registry: SchemaRegistry, record: StoredRecord) => ({
  id: record.eventId,
  type: record.type,
  position: record.position,
  occurred_at: record.meta.occurred_at,
  data: maskedData(registry, record),
});

export const presentEvent = (registry: SchemaRegistry, record: StoredRecord) =>
  envelope(record, maskedData(registry, record));

/** With personal data; secrets stay masked. */
export function presentOpenEvent({ event, record }: RecordedEvent) {
  const data: Record<string, unknown> = { ...event.data };
  for (const name in data) if (isSecret(name) && data[name] !== null) data[name] = MASK;
  return envelope(record, data);
}

function envelope(record: StoredRecord, data: Readonly<Record<string, unknown>>) {
  const { meta } = record;
  const sealed = record.data['sealed'] as { readonly key: string } | undefined;
  return {
    position: record.position,
    occurred_at: meta.occurred_at,
    id: record.eventId,
    type: record.type,
    schema_version: meta.schema_version,
    stream: record.stream,
    revision: record.revision,
    company_uuid: meta.company === SYSTEM_COMPANY ? null : meta.company,
    person: sealed === undefined ? null : personOf(sealed.key, meta.company),
    actor: actorOf(meta.actor),
    correlation_id: meta.correlation_id,
    causation_id: meta.causation_id,
    data,
  };
}

/** Key ids are `<person>.<generation>`. Data that belongs to no company is sealed by day, not by person. */
export function personOf(keyId: string, company: string): string | null {
  if (company === SYSTEM_COMPANY) return null;
  const dot = keyId.lastIndexOf('.');
  return dot < 0 ? keyId : keyId.slice(0, dot);
}

/** `key:<id>`, `worker:<name>`, or one word. */
export function actorOf(actor: string): { readonly kind: string; readonly id?: string } {
  const at = actor.indexOf(':');
  return at < 0 ? { kind: actor } : { kind: actor.slice(0, at), id: actor.slice(at + 1) };
}
