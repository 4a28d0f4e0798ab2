import type {
  ChannelUuid,
  CompanyUuid,
  ContactUuid,
  ConversationUuid,
  OperationUuid,
} from '../domain/kernel/ids.js';
import type { Metadata } from '../domain/policies/metadata.js';
import { collection } from './collection.js';

export type OperationDoc = {
  readonly uuid: OperationUuid;
  readonly company_uuid: CompanyUuid;
  /** null when no integration requested it: a flow that a trigger started. */
  readonly integration_uuid: string | null;
  readonly channel_uuid: ChannelUuid;
  readonly contact_uuid: ContactUuid | null;
  readonly conversation_uuid: ConversationUuid | null;
  readonly message_uuid: string | null;
  readonly type: 'message.send' | 'flow.execute';
  readonly status: 'queued' | 'processing' | 'waiting' | 'succeeded' | 'failed';
  readonly text: string | null;
  /** As the caller gave it; shown when it is the cause of a failure. */
  readonly external_id: string | null;
  /** The caller's own pairs; absent without any. */
  readonly metadata?: Metadata;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
  /** While the operation waits: the reason, and the end of the wait if it is known. */
  readonly waiting: { readonly reason: string; readonly until: string | null } | null;
  readonly attempts: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
};

export const operations = collection<OperationDoc>()({
  name: 'operations',
  version: 2,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_company_status: ['company_uuid', 'status', 'created_at'],
    by_status: ['status', 'type', 'created_at'],
  },
});
