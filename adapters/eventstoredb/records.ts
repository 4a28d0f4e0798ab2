/** Conversion between our records and events of EventStoreDB. Metadata and data are stored as JSON. */
import { jsonEvent, type EventData, type RecordedEvent } from '@eventstore/db-client';
import { isObject } from '../../domain/kernel/json.js';
import type { EventMeta, NewRecord, Position, StoredRecord } from '../../ports/event-store.js';
import { isKnown, toPosition } from './positions.js';

export const toEventData = ({ eventId, type, data, meta }: NewRecord): EventData =>
  jsonEvent({ id: eventId, type, data: { ...data }, metadata: { ...meta } });

/** An event of $all or of a stream, as read. Links are not resolved, so the event is the one that was requested. */
export interface ReadEvent {
  readonly event?: RecordedEvent;
  readonly link?: RecordedEvent;
}

/** Undefined when the server does not send it. */
export function positionOf({ event, link }: ReadEvent): Position | undefined {
  const position = (link ?? event)?.position;
  return isKnown(position) ? toPosition(position) : undefined;
}

/** Undefined for events that are not ours: system events, links, events of other applications. */
export function toStoredRecord({ event, link }: ReadEvent, position: Position): StoredRecord | undefined {
  if (!event || link || !event.isJson || isSystem(event.streamId) || isSystem(event.type)) return undefined;
  const { id, type, streamId, revision } = event;
  const data: unknown = event.data;
  const meta: unknown = event.metadata;
  if (!isObject(data) || !isMeta(meta)) return undefined;
  return { eventId: id, type, data, meta, stream: streamId, revision: Number(revision), position };
}

const isSystem = (name: string): boolean => name.startsWith('$');

const TEXTS = ['correlation_id', 'causation_id', 'command_id', 'actor', 'company', 'occurred_at'] as const;

function isMeta(value: unknown): value is EventMeta {
  if (!isObject(value)) return false;
  const all: Record<string, unknown> = value;
  return TEXTS.every((name) => typeof all[name] === 'string') && typeof all['schema_version'] === 'number';
}
