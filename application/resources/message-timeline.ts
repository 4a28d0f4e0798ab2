/** What happened to one message, in order, made from its events and those of its operation. */
import type { MessageEvent } from '../../domain/message/events.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { classifyProviderError } from '../../domain/policies/provider-errors.js';
import type { DeliveryDoc } from '../../read-models/deliveries.js';
import type { RecordedEvent } from '../codec.js';
import { sendTimeline } from './send-timeline.js';
import type { TimelineEntry } from './timeline-entry.js';

export interface MessageHistory {
  /** Empty for messages that no operation sent. */
  readonly operation: readonly RecordedEvent<OperationEvent>[];
  /** Empty until the first attempt. */
  readonly message: readonly RecordedEvent<MessageEvent>[];
  readonly deliveries: readonly DeliveryDoc[];
}

/** Oldest first; of the same millisecond, the operation's entries come first, then the message's. */
export function timelineOf({ operation, message, deliveries }: MessageHistory): readonly TimelineEntry[] {
  const entries = [
    ...sendTimeline(operation),
    ...message.flatMap(messageEntries),
    ...deliveries.map(deliveryEntry),
  ];
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function messageEntries({ event, record }: RecordedEvent<MessageEvent>): readonly TimelineEntry[] {
  const at = record.meta.occurred_at;
  switch (event.type) {
    case 'MessageAccepted':
      return [
        {
          at,
          kind: 'status',
          status: event.data.held ? 'queued' : 'sent',
          provider_at: null,
          error: null,
        },
      ];
    case 'MessageRefused': {
      const { code, message, provider_error } = event.data;
      const details = provider_error ? { provider: provider_error } : {};
      return [{ at, kind: 'status', status: 'failed', provider_at: null, error: { code, message, details } }];
    }
    case 'MessageStatusReported': {
      const { status, at: provider_at, errors } = event.data;
      const [reason] = errors;
      const error = reason
        ? {
            code: classifyProviderError(reason.code).operationCode,
            message: reason.title,
            details: { provider: reason },
          }
        : null;
      return [{ at, kind: 'status', status, provider_at, error }];
    }
    case 'MessageReceived':
    case 'MessageEchoed':
    case 'MessageImported':
      return [{ at, kind: 'recorded', provider_at: event.data.sent_at }];
    case 'NoteWritten':
    case 'StoreOrderRecorded':
      return [{ at, kind: 'recorded', provider_at: null }];
    case 'SystemNoticeRecorded':
      return [{ at, kind: 'recorded', provider_at: event.data.at }];
    case 'MessageEdited':
      return [{ at, kind: 'edited', provider_at: event.data.at }];
    case 'MessageDeleted':
      return [{ at, kind: 'deleted', provider_at: event.data.at }];
    default:
      return [];
  }
}

const deliveryEntry = (delivery: DeliveryDoc): TimelineEntry => ({
  at: delivery.created_at,
  kind: 'delivery',
  delivery_id: delivery.delivery_id,
  endpoint_uuid: delivery.endpoint_uuid,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status: delivery.last_status,
  last_error: delivery.last_error,
  updated_at: delivery.updated_at,
});
