/** Operation as the contract shows it (spec §2). */
import type { OperationDoc } from '../../read-models/operations.js';

/** The fields of an `operations` document used here. */
export type OperationSource = Pick<
  OperationDoc,
  | 'uuid'
  | 'company_uuid'
  | 'type'
  | 'status'
  | 'result'
  | 'error'
  | 'metadata'
  | 'created_at'
  | 'started_at'
  | 'completed_at'
>;

export function presentOperation(operation: OperationSource) {
  const { uuid, type, status, result, error, metadata, created_at, started_at, completed_at } = operation;
  return {
    uuid,
    type,
    status,
    result,
    error,
    ...(metadata ? { metadata } : {}),
    created_at,
    started_at,
    completed_at,
  };
}

export type OperationResource = ReturnType<typeof presentOperation>;
