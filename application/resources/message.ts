/** Message as the contract shows it (spec §2). */

/** What is read of a `messages` document. */
export interface MessageSource {
  readonly uuid: string;
  readonly direction: 'inbound' | 'outbound';
  readonly type: string;
  readonly status: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Template body as the recipient reads it; null for inbound messages. */
  readonly text: string | null;
  readonly provider_message_id: string | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** What WhatsApp said, when it was WhatsApp that refused. */
    readonly provider: Readonly<Record<string, unknown>> | null;
  } | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export function presentMessage(message: MessageSource) {
  const { uuid, direction, type, status, content, text, provider_message_id, error, created_at, updated_at } =
    message;
  return {
    uuid,
    direction,
    type,
    status,
    content: type === 'template' && text !== null ? { ...content, text } : content,
    provider_message_id,
    created_at,
    updated_at,
    transcript: null,
    deleted_at: null,
    deleted_by: null,
    edited_at: null,
    error: error && {
      code: error.code,
      message: error.message,
      details: error.provider ? { provider: error.provider } : {},
    },
  };
}

export type MessageResource = ReturnType<typeof presentMessage>;
