/** Operation as the contract shows it (spec §2). */

/** What is read of an `operations` document. */
export interface OperationSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly type: string;
  readonly status: string;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

export function presentOperation(operation: OperationSource) {
  const { uuid, type, status, result, error, created_at, started_at, completed_at } = operation;
  return { uuid, type, status, result, error, created_at, started_at, completed_at };
}

export type OperationResource = ReturnType<typeof presentOperation>;
