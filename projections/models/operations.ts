import type { OperationEvent } from '../../domain/operation/events.js';
import { operationStream } from '../../domain/operation/stream.js';
import { defineProjection } from '../projection.js';

export type OperationDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  /** null where no integration asked for it: a flow that a trigger started. */
  readonly integration_uuid: string | null;
  readonly channel_uuid: string;
  readonly contact_uuid: string | null;
  readonly conversation_uuid: string | null;
  readonly message_uuid: string | null;
  readonly type: 'message.send' | 'flow.execute';
  readonly status: 'queued' | 'processing' | 'waiting' | 'succeeded' | 'failed';
  readonly text: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
  /** While it waits: why, and until when. */
  readonly waiting: { readonly reason: string; readonly until: string } | null;
  readonly attempts: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
};

export const operations = defineProjection<OperationDoc, OperationEvent>({
  name: 'operations',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_company_status: ['company_uuid', 'status', 'created_at'],
    by_status: ['status', 'type', 'created_at'],
  },
  handles: [
    'SendAccepted',
    'SendDeferred',
    'SendAttempted',
    'SendPostponed',
    'SendOutcomeUnknown',
    'SendSucceeded',
    'SendFailed',
  ],
  documentId: ({ record }) => operationStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    if (event.type === 'SendAccepted') {
      return {
        uuid: operationStream.match(record.stream)!,
        company_uuid: event.data.company_uuid,
        integration_uuid: event.data.integration_uuid,
        channel_uuid: event.data.channel_uuid,
        contact_uuid: null,
        conversation_uuid: null,
        message_uuid: null,
        type: 'message.send',
        status: 'queued',
        text: event.data.text,
        result: null,
        error: null,
        waiting: null,
        attempts: 0,
        created_at: at,
        started_at: null,
        completed_at: null,
      };
    }
    if (!doc) return null;
    switch (event.type) {
      case 'SendDeferred':
        return { ...doc, status: 'waiting', waiting: { reason: event.data.reason, until: event.data.until } };
      case 'SendAttempted':
        return {
          ...doc,
          status: 'processing',
          waiting: null,
          attempts: event.data.attempt,
          contact_uuid: event.data.contact_uuid,
          conversation_uuid: event.data.conversation_uuid,
          message_uuid: event.data.message_uuid,
          started_at: doc.started_at ?? at,
        };
      case 'SendPostponed':
        return {
          ...doc,
          status: 'waiting',
          waiting: { reason: event.data.reason, until: event.data.retry_at },
        };
      case 'SendSucceeded':
        return {
          ...doc,
          status: 'succeeded',
          waiting: null,
          result: {
            message_uuid: doc.message_uuid,
            conversation_uuid: doc.conversation_uuid,
            contact_uuid: doc.contact_uuid,
            status: event.data.status,
            text: doc.text,
          },
          completed_at: at,
        };
      case 'SendFailed': {
        const { code, message, details } = event.data;
        return {
          ...doc,
          status: 'failed',
          waiting: null,
          error: { code, message, details },
          completed_at: at,
        };
      }
      default:
        return doc;
    }
  },
});
