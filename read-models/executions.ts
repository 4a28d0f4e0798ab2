import type { ExecutionData } from '../domain/execution/events.js';
import type { ExecutionFailure } from '../domain/execution/failure.js';
import type { ExecutionStatus } from '../domain/execution/status.js';
import type {
  ChannelUuid,
  CompanyUuid,
  ContactUuid,
  ConversationUuid,
  OperationUuid,
} from '../domain/kernel/ids.js';
import { collection } from './collection.js';

type Values = Readonly<Record<string, unknown>>;

export type ExecutionStepDoc = {
  readonly step: number;
  readonly block: string;
  readonly way: string;
  readonly to: string | null;
  readonly at: string;
};

export type ExecutionDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly flow_uuid: string;
  readonly flow_version: number;
  readonly channel_uuid: ChannelUuid;
  readonly contact_uuid: ContactUuid;
  /** Null until it controls a conversation. */
  readonly conversation_uuid: ConversationUuid | null;
  readonly integration_uuid: string | null;
  readonly operation_uuid: OperationUuid | null;
  /** Message that triggered it. */
  readonly message_uuid: string | null;
  /** Execution that was continued by this one. */
  readonly parent_uuid: string | null;
  /** Execution that continues this one. */
  readonly continued_by: string | null;
  readonly trigger: ExecutionData<'ExecutionCreated'>['trigger'];
  /** First block. */
  readonly start: string;
  readonly status: ExecutionStatus;
  /** The last block that it reached; null before the first. */
  readonly block: string | null;
  /** Set while it waits, and kept while its status is `parked`. */
  readonly waiting: {
    readonly for: ExecutionData<'ExecutionWaitBegan'>['waits_for'] | 'flow';
    readonly until: string | null;
  } | null;
  /** Empty once the person was erased; so are the answers. */
  readonly variables: Values;
  readonly answers: Values;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly error: ExecutionFailure | null;
  /** The newest steps, oldest first. The stream has all of them. */
  readonly steps: readonly ExecutionStepDoc[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
};

export const executions = collection<ExecutionDoc>()({
  name: 'executions',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_company_status: ['company_uuid', 'status', 'created_at'],
    by_status: ['status', 'created_at'],
    by_flow: ['flow_uuid', 'created_at'],
    by_flow_status: ['flow_uuid', 'status', 'created_at'],
    by_contact: ['contact_uuid', 'created_at'],
  },
});
