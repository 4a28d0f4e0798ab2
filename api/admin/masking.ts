/** Events as an operator may see them: what happened, without personal data and secrets. */
import { SYSTEM_COMPANY } from '../../application/app.js';
import type { SchemaRegistry } from '../../domain/kernel/schema-registry.js';
import type { StoredRecord } from '../../ports/event-store.js';

const MASK = '***';
/** Sealed secrets and hashes of keys say nothing to a reader, and something to an attacker. */
const SECRET = /(?:_sealed|secret_hash)$/;

export function maskedData(
  registry: SchemaRegistry,
  { type, data }: Pick<StoredRecord, 'type' | 'data'>,
): Readonly<Record<string, unknown>> {
  const { sealed: _box, ...plain } = data;
  const masked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    masked[name] = SECRET.test(name) && value !== null ? MASK : value;
  }
  for (const name of registry.personalFields(type)) masked[name] = MASK;
  return masked;
}

export const presentTimelineEvent = (registry: SchemaRegistry, record: StoredRecord) => ({
  id: record.eventId,
  type: record.type,
  position: record.position,
  occurred_at: record.meta.occurred_at,
  data: maskedData(registry, record),
});

export function presentEvent(registry: SchemaRegistry, record: StoredRecord) {
  const { meta } = record;
  const [kind, id] = splitActor(meta.actor);
  return {
    ...presentTimelineEvent(registry, record),
    stream: record.stream,
    revision: record.revision,
    schema_version: meta.schema_version,
    company_uuid: meta.company === SYSTEM_COMPANY ? null : meta.company,
    actor: id === null ? { kind } : { kind, id },
    correlation_id: meta.correlation_id,
    causation_id: meta.causation_id,
  };
}

/** `key:<id>`, `worker:<name>`, or one word. */
function splitActor(actor: string): readonly [string, string | null] {
  const at = actor.indexOf(':');
  return at < 0 ? [actor, null] : [actor.slice(0, at), actor.slice(at + 1)];
}
