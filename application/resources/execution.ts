/** Execution of a flow, as webhooks and operators see it (docs/flows.md). */
import type { ExecutionFailure } from '../../domain/execution/failure.js';
import type { ExecutionStatus } from '../../domain/execution/status.js';

type Values = Readonly<Record<string, unknown>>;

/** What is read of an `executions` document. */
export interface ExecutionSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly flow_uuid: string;
  readonly flow_version: number;
  readonly channel_uuid: string;
  readonly contact_uuid: string;
  readonly conversation_uuid: string | null;
  readonly operation_uuid: string | null;
  readonly trigger: string;
  readonly status: ExecutionStatus;
  readonly block: string | null;
  readonly waiting: { readonly for: string; readonly until: string | null } | null;
  readonly variables: Values;
  readonly answers: Values;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly error: ExecutionFailure | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
}

export function presentExecution(execution: ExecutionSource, flowName: string) {
  const { uuid, flow_uuid, flow_version, channel_uuid, contact_uuid, conversation_uuid } = execution;
  const { operation_uuid, trigger, status, block, variables, answers, outcome, reason, error } = execution;
  const { created_at, updated_at, ended_at } = execution;
  return {
    uuid,
    flow_uuid,
    flow_name: flowName,
    flow_version,
    channel_uuid,
    contact_uuid,
    conversation_uuid,
    operation_uuid,
    trigger,
    status,
    block,
    waiting: status === 'waiting' ? execution.waiting : null,
    variables,
    answers,
    outcome,
    reason,
    error,
    created_at,
    updated_at,
    ended_at,
  };
}
