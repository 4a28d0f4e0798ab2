/** Execution of a flow, as webhooks and operators see it (docs/flows.md). */
import type { ExecutionDoc } from '../../read-models/executions.js';

/** The fields of an `executions` document used here. */
export type ExecutionSource = Pick<
  ExecutionDoc,
  | 'uuid'
  | 'company_uuid'
  | 'flow_uuid'
  | 'flow_version'
  | 'channel_uuid'
  | 'contact_uuid'
  | 'conversation_uuid'
  | 'operation_uuid'
  | 'trigger'
  | 'status'
  | 'block'
  | 'waiting'
  | 'variables'
  | 'answers'
  | 'outcome'
  | 'reason'
  | 'error'
  | 'created_at'
  | 'updated_at'
  | 'ended_at'
>;

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
