import { outboundMessageId } from '../../domain/message/decide.js';
import type { MessageEvent } from '../../domain/message/events.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { classifyProviderError } from '../../domain/policies/provider-errors.js';
import { messageStream, operationStream } from '../../domain/streams.js';
import { failedMessages as collection, type FailedMessageDoc } from '../../read-models/failed-messages.js';
import { defineProjection } from '../projection.js';

type Handled =
  Extract<OperationEvent, { type: 'SendFailed' }> | Extract<MessageEvent, { type: 'MessageStatusReported' }>;

/** Events of messages that did not fail belong to no document: most messages cost nothing here. */
export const failedMessages = defineProjection<FailedMessageDoc, Handled>({
  collection,
  handles: ['SendFailed', 'MessageStatusReported'],
  documentId: ({ event, record }) => {
    if (event.type === 'MessageStatusReported') {
      return event.data.status === 'failed' ? (messageStream.match(record.stream) ?? null) : null;
    }
    const operation = operationStream.match(record.stream);
    return operation === undefined ? null : outboundMessageId(operation);
  },
  evolve: (doc, { event, record }, uuid) => {
    const failure = failureIn(event);
    if (failure === undefined) return doc ?? null;
    if (doc) return { ...doc, error_code: doc.error_code ?? failure };
    return {
      uuid,
      company_uuid: record.meta.company,
      operation_uuid: operationStream.match(record.stream) ?? null,
      error_code: failure,
      failed_at: record.meta.occurred_at,
    };
  },
});

/** Null: without a reason. Undefined: no failure. */
function failureIn(event: Handled): string | null | undefined {
  switch (event.type) {
    case 'SendFailed':
      return event.data.code;
    case 'MessageStatusReported': {
      const [reason] = event.data.errors;
      return reason ? classifyProviderError(reason.code).operationCode : null;
    }
    default:
      return undefined;
  }
}
