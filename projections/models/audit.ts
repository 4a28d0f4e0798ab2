import type { DomainEvent } from '../../domain/kernel/event.js';
import { isObject } from '../../domain/kernel/json.js';
import { AUDITED, auditKindOf, isAudited } from '../../domain/policies/audit.js';
import { audit as collection, type AuditDoc } from '../../read-models/audit.js';
import { defineProjection } from '../projection.js';

/** Named one by one: a field that is added to an event must not get in by itself. */
const DETAILS = [
  ...['member_uuid', 'role', 'thing', 'thing_uuid', 'reason', 'reference', 'key_id', 'endpoint_uuid'],
  ...['contact_uuid', 'agent_uuid', 'viewers_may_reveal', 'on', 'enabled', 'source', 'version', 'stopped'],
  'reply_uuid',
];

/** Events that no auditor reads belong to no document: what programs do costs nothing here. */
export const audit = defineProjection<AuditDoc, DomainEvent>({
  collection,
  handles: AUDITED,
  documentId: ({ event, record }) => (isAudited(event.type, record.meta.actor) ? record.eventId : null),
  evolve: (doc, { event, record }) => {
    const kind = auditKindOf(event.type, event.data['operation']);
    if (doc !== undefined || kind === undefined) return doc ?? null;
    return {
      event_id: record.eventId,
      company_uuid: record.meta.company,
      kind,
      type: event.type,
      actor: record.meta.actor,
      stream: record.stream,
      position: record.position,
      occurred_at: record.meta.occurred_at,
      details: event.type === 'UpkeepRequested' ? askedIn(event.data) : plain(event.data, DETAILS),
    };
  },
});

/** The operation and what it was about, which its contract keeps free of what is secret or personal. */
function askedIn({ operation, parameters }: DomainEvent['data']): AuditDoc['details'] {
  const about = isObject(parameters) ? parameters : {};
  return { ...plain({ operation }, ['operation']), ...plain(about, Object.keys(about)) };
}

const plain = (data: DomainEvent['data'], names: readonly string[]): AuditDoc['details'] =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = data[name];
      return isPlain(value) ? [[name, value]] : [];
    }),
  );

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
