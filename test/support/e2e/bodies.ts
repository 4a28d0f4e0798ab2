/** Response bodies of the API, limited to the fields that end-to-end tests read. */
export interface OperationBody {
  readonly uuid: string;
  readonly status: string;
  /** ISO 8601. */
  readonly completed_at: string | null;
  readonly result: {
    readonly message_uuid: string;
    readonly conversation_uuid: string;
    readonly contact_uuid: string;
    readonly status: string;
    readonly text: string | null;
  } | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
}

export interface MessageBody {
  readonly uuid: string;
  readonly direction: string;
  readonly type: string;
  readonly status: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly provider_message_id: string | null;
}
